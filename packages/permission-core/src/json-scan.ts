/** Where a value lies in JSON text: `text.slice(start, end)`. */
export interface Extent {
  start: number;
  end: number;
}

/** Text that is no JSON. `offset` is the first place where it cannot go on. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly offset: number;

  constructor(offset: number, expected: string) {
    super(`expected ${expected}`);
    this.offset = offset;
  }
}

/** Reads one whole JSON text and gives nothing. Throws {@link JsonSyntaxError} exactly where `JSON.parse` throws. */
export function checkJson(text: string): void {
  const end = skipSpace(text, skipValue(text, 0));
  if (end < text.length) throw new JsonSyntaxError(end, "the end of the text");
}

/** The elements of the array that begins `text`, blanks before it allowed, in order. */
export function elementExtents(text: string): Extent[] {
  const extents: Extent[] = [];
  let at = skipSpace(text, expectAt(text, skipSpace(text, 0), "["));
  if (text[at] === "]") return extents;
  for (;;) {
    const start = skipSpace(text, at);
    const end = skipValue(text, start);
    extents.push({ start, end });
    at = skipSpace(text, end);
    if (text[at] !== ",") break;
    at += 1;
  }
  expectAt(text, at, "]");
  return extents;
}

/** The members of the object that begins `text`, in order and with repeats; keys are decoded. */
export function memberExtents(text: string): { key: string; value: Extent }[] {
  const members: { key: string; value: Extent }[] = [];
  let at = skipSpace(text, expectAt(text, skipSpace(text, 0), "{"));
  if (text[at] === "}") return members;
  for (;;) {
    const keyStart = skipSpace(text, at);
    const keyEnd = skipString(text, keyStart);
    const key: string = JSON.parse(text.slice(keyStart, keyEnd));
    const start = skipSpace(text, expectAt(text, skipSpace(text, keyEnd), ":"));
    const end = skipValue(text, start);
    members.push({ key, value: { start, end } });
    at = skipSpace(text, end);
    if (text[at] !== ",") break;
    at += 1;
  }
  expectAt(text, at, "}");
  return members;
}

/** The offset after the value at `from`, blanks before it allowed. Depth costs heap, never stack. */
function skipValue(text: string, from: number): number {
  const closers: ("]" | "}")[] = [];
  let at = from;
  for (;;) {
    at = skipSpace(text, at);
    const first = text[at];
    if (first === "[" || first === "{") {
      const closer = first === "[" ? "]" : "}";
      at = skipSpace(text, at + 1);
      if (text[at] !== closer) {
        closers.push(closer);
        if (closer === "}") at = skipKey(text, at);
        continue;
      }
      at += 1;
    } else {
      at = skipScalar(text, at);
    }
    for (;;) {
      const closer = closers.at(-1);
      if (closer === undefined) return at;
      at = skipSpace(text, at);
      if (text[at] === ",") {
        at = closer === "}" ? skipKey(text, skipSpace(text, at + 1)) : at + 1;
        break;
      }
      if (text[at] !== closer) throw new JsonSyntaxError(at, `"," or "${closer}"`);
      closers.pop();
      at += 1;
    }
  }
}

function skipKey(text: string, from: number): number {
  if (text[from] !== '"') throw new JsonSyntaxError(from, "a key in double quotes");
  return expectAt(text, skipSpace(text, skipString(text, from)), ":");
}

const WORD_OR_NUMBER = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/y;

function skipScalar(text: string, from: number): number {
  if (text[from] === '"') return skipString(text, from);
  WORD_OR_NUMBER.lastIndex = from;
  if (!WORD_OR_NUMBER.test(text)) throw new JsonSyntaxError(from, "a value");
  return WORD_OR_NUMBER.lastIndex;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function skipString(text: string, from: number): number {
  let at = expectAt(text, from, '"');
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) return at + 1;
    if (unit === 0x5c) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) throw new JsonSyntaxError(at, "an escape that JSON knows");
      at = ESCAPE.lastIndex;
    } else if (unit >= 0x20) {
      at += 1;
    } else {
      throw new JsonSyntaxError(at, "the end of the string");
    }
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at += 1;
  }
}

function expectAt(text: string, at: number, character: string): number {
  if (text[at] !== character) throw new JsonSyntaxError(at, `"${character}"`);
  return at + 1;
}
