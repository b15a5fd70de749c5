/**
 * A getter of a class, for `Object.defineProperty`: as a member of an instance itself it is part of every copy, as a getter
 * of an object literal would be. Each evaluation of such a literal makes functions and a hidden class, which takes as long
 * as to decide a call, and keeps the call in memory through many collections.
 */
export function memberGetter<Class extends object>(
  prototype: Class,
  name: string & keyof Class,
): PropertyDescriptor {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
  if (get === undefined) throw new TypeError(`The class has no getter '${name}'.`);
  return { get, enumerable: true, configurable: true };
}
