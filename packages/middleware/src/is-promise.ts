/** Whether `value` must be waited for. What is ready stays on the synchronous path, which pays nothing. */
export function isPromiseLike<T>(value: T): value is Extract<T, PromiseLike<unknown>> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}
