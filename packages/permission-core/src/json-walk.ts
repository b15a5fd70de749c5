import type { PermissionGateError } from "./errors.js";
import { jsonPath, notJson } from "./not-json.js";
import { isPlainArray, isPlainObject } from "./plain-object.js";

/** How deep arrays and objects may nest. */
export const MAX_JSON_DEPTH = 512;

/**
 * Where a walk over an untrusted value stands, and every reason to refuse it: shared by all that read such values, so
 * that they refuse the same ones with the same words. Usage: `enter` an array or object, set `at` before reading each
 * member, `leave` it; and `explain` whatever the walk throws.
 */
export class JsonWalk {
  private readonly ancestors: object[] = [];
  private readonly members: (string | number)[] = [];
  private failure: PermissionGateError | null = null;

  /** Steps into `value`; refuses what is no plain array or object, cycles, and nesting beyond {@link MAX_JSON_DEPTH}. */
  enter(value: object, isArray: boolean): void {
    if (!(isArray ? isPlainArray(value) : isPlainObject(value))) this.refuse("an object that is not plain");
    if (this.ancestors.includes(value)) this.refuse("a reference to an object around it");
    if (this.ancestors.length === MAX_JSON_DEPTH) this.refuse(`nesting beyond ${MAX_JSON_DEPTH}`);
    this.ancestors.push(value);
    this.members.push(0);
  }

  /** Names the member that is read next. */
  at(member: string | number): void {
    this.members[this.members.length - 1] = member;
  }

  leave(): void {
    this.ancestors.pop();
    this.members.pop();
  }

  /** Ends the walk: `problem` says what stands at the member named last. */
  refuse(problem: string): never {
    this.failure = notJson(jsonPath(this.members), problem);
    throw this.failure;
  }

  /**
   * The error to throw for what ended the walk, which is then ready for the next one. What a getter or a proxy threw is
   * the `cause`.
   */
  explain(thrown: unknown): PermissionGateError {
    const error =
      thrown === this.failure && this.failure !== null
        ? this.failure
        : notJson(jsonPath(this.members), "a member that cannot be read", { cause: thrown });
    this.failure = null;
    this.ancestors.length = 0;
    this.members.length = 0;
    return error;
  }
}

/** What to call a value that is no JSON value by its type. */
export function nameOfNonJson(value: unknown): string {
  switch (typeof value) {
    case "number":
      return String(value);
    case "bigint":
      return "a bigint";
    case "symbol":
      return "a symbol";
    case "function":
      return "a function";
    default:
      return "undefined";
  }
}
