/**
 * Whether `value` is what an object literal, `JSON.parse` or `Object.create(null)` makes, in this realm or another.
 * Class instances, boxed primitives, dates and collections are not.
 */
export function isPlainObject(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || isForeignObjectPrototype(prototype);
}

/** Whether `value`, an array, is a plain one: no subclass, and of this realm or another. */
export function isPlainArray(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Array.prototype || (prototype !== null && isForeignArrayPrototype(prototype));
}

/** Another realm's `Object.prototype` (a `vm` context, a frame, a test runner's sandbox). */
function isForeignObjectPrototype(prototype: object): boolean {
  if (Object.getPrototypeOf(prototype) !== null || !Object.hasOwn(prototype, "isPrototypeOf")) return false;
  const maker: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  return typeof maker === "function" && maker.prototype === prototype;
}

/** Another realm's `Array.prototype`: alone among the prototypes of arrays it is an array itself. */
function isForeignArrayPrototype(prototype: object): boolean {
  if (!Array.isArray(prototype)) return false;
  const above: object | null = Object.getPrototypeOf(prototype);
  return above !== null && Object.getPrototypeOf(above) === null;
}
