import type { Awaitable } from "@x/permission-core";

/** Goes on with a value at once, with a promise when it has settled. `failed` takes a rejection, not what `next` throws. */
export function continueWith<Value, Answer>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Answer>,
  failed?: (error: unknown) => Awaitable<Value>,
): Awaitable<Answer> {
  if (!isPromiseLike(value)) return next(value as Value);
  const settled = Promise.resolve(value);
  return (failed === undefined ? settled : settled.catch(failed)).then(next);
}

function isPromiseLike<Value>(value: Awaitable<Value>): value is PromiseLike<Value> & Awaitable<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
