import type { JsonValue } from "@x/permission-core";

/** What was judged of a call already, so that what it names many times is looked at once. Lives as long as the call is judged. */
export class JudgedOnce<Result> {
  #known: Map<string, Result> | null = null;

  /** `about` holds all that the result depends on. */
  get(about: JsonValue, judge: () => Result): Result {
    const key = JSON.stringify(about);
    this.#known ??= new Map();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const result = judge();
    this.#known.set(key, result);
    return result;
  }
}
