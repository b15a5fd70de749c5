import { JsonWalk, nameOfNonJson } from "./json-walk.js";
import { sortKeys } from "./key-order.js";
import { hasLoneSurrogate } from "./lone-surrogate.js";

/**
 * The one text of a JSON value: keys sorted by code point at every level, no spaces, numbers as `JSON.stringify` prints
 * them. Members that are `undefined` are left out, `toJSON` is not honoured, and each getter or proxied member is read
 * once. Symbol keys and non-enumerable members are not part of a value.
 *
 * Throws `not_json`, naming the culprit's path, for whatever JSON cannot hold: functions, symbols, bigints, numbers that
 * are not finite, lone surrogates, holes and `undefined` in arrays, objects that are not plain, cycles, and nesting
 * beyond 512.
 */
export function canonicalJson(value: unknown): string {
  const walk = new JsonWalk();
  try {
    return write(value, walk);
  } catch (thrown) {
    throw walk.explain(thrown);
  }
}

function write(value: unknown, walk: JsonWalk): string {
  if (value === null) return "null";
  if (typeof value === "string") return writeString(value, walk);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== "object") return walk.refuse(nameOfNonJson(value));
  return Array.isArray(value)
    ? writeArray(value, walk)
    : writeObject(value as { [key: string]: unknown }, walk);
}

function writeArray(array: readonly unknown[], walk: JsonWalk): string {
  walk.enter(array, true);
  const length = array.length;
  const parts: string[] = [];
  for (let index = 0; index < length; index++) {
    walk.at(index);
    parts.push(write(array[index], walk));
  }
  walk.leave();
  return `[${parts.join(",")}]`;
}

function writeObject(object: { [key: string]: unknown }, walk: JsonWalk): string {
  walk.enter(object, false);
  const parts: string[] = [];
  for (const key of sortKeys(Object.keys(object))) {
    walk.at(key);
    const member = object[key];
    if (member !== undefined) parts.push(`${writeString(key, walk)}:${write(member, walk)}`);
  }
  walk.leave();
  return `{${parts.join(",")}}`;
}

function writeString(text: string, walk: JsonWalk): string {
  return hasLoneSurrogate(text) ? walk.refuse("a lone surrogate") : JSON.stringify(text);
}
