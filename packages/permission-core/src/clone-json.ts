import type { JsonValue } from "./json.js";
import { JsonWalk, nameOfNonJson } from "./json-walk.js";
import { hasLoneSurrogate } from "./lone-surrogate.js";

/**
 * A deep copy in plain arrays and objects, key order kept. Takes and refuses exactly what `canonicalJson` does, with the
 * same errors, and reads each getter or proxied member once: later changes to `value` do not reach the copy. An own
 * `__proto__` member stays an own member.
 */
export function cloneJson(value: unknown): JsonValue {
  const walk = new JsonWalk();
  try {
    return copy(value, walk);
  } catch (thrown) {
    throw walk.explain(thrown);
  }
}

function copy(value: unknown, walk: JsonWalk): JsonValue {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return copyString(value, walk);
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object") return walk.refuse(nameOfNonJson(value));
  return Array.isArray(value)
    ? copyArray(value, walk)
    : copyObject(value as { [key: string]: unknown }, walk);
}

function copyArray(array: readonly unknown[], walk: JsonWalk): JsonValue {
  walk.enter(array, true);
  const length = array.length;
  const result: JsonValue[] = [];
  for (let index = 0; index < length; index++) {
    walk.at(index);
    result.push(copy(array[index], walk));
  }
  walk.leave();
  return result;
}

function copyObject(object: { [key: string]: unknown }, walk: JsonWalk): JsonValue {
  walk.enter(object, false);
  const result: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(object)) {
    walk.at(key);
    const member = object[key];
    if (member === undefined) continue;
    copyString(key, walk);
    const copied = copy(member, walk);
    if (key === "__proto__") define(result, key, copied);
    else result[key] = copied;
  }
  walk.leave();
  return result;
}

/** Assignment would set the prototype instead. */
function define(object: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function copyString(text: string, walk: JsonWalk): string {
  return hasLoneSurrogate(text) ? walk.refuse("a lone surrogate") : text;
}
