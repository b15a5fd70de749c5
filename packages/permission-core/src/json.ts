/** A value, or a promise of one. */
export type Awaitable<T> = T | PromiseLike<T>;

/** What JSON text can say. Objects are plain: no class instances, no accessors that matter. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
