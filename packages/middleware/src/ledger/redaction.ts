import { cloneJson, type JsonValue, type OnReport } from "@x/permission-core";
import { fitsJsonText } from "./json-length.js";
import type { Recorded } from "./ledger-line.js";

/** Where a text stands that is about to be written. */
export type RedactedField =
  | "reason"
  | "prompt"
  | "matched_pattern"
  | "rule_id"
  | "decided_by"
  | "granted_by"
  | "input"
  | "output"
  | "args";

/** Gives the text to write in place of `text`. Of `input`, `output` and `args` it gets every text inside, member names too. */
export type Redact = (text: string, field: RedactedField) => string;

/** Written where `redact` failed. */
const REDACTION_FAILED = "[redaction failed]";

/** How many characters of JSON text a value may have that is recorded. */
const MOST_RECORDED = 1024 * 1024;

/** Puts every text through `redact`. One that it cannot take is not written at all. */
export class Redaction {
  readonly #redact: Redact | undefined;
  readonly #onReport: OnReport;

  constructor(redact: Redact | undefined, onReport: OnReport) {
    this.#redact = redact;
    this.#onReport = onReport;
  }

  /** Whether anything can be changed at all. */
  get isActive(): boolean {
    return this.#redact !== undefined;
  }

  text(text: string, field: RedactedField): string;
  text(text: string | null, field: RedactedField): string | null;
  text(text: string | null, field: RedactedField): string | null {
    if (this.#redact === undefined || text === null) return text;
    try {
      const redacted: unknown = this.#redact(text, field);
      if (typeof redacted === "string") return redacted;
    } catch {
      // What it threw may quote the text.
    }
    const message = `The ledger's redact failed on a text of field ${field}; the text was left out.`;
    this.#onReport({ level: "error", message });
    return REDACTION_FAILED;
  }

  /** `value` under `name`, every text in it redacted, or the mark of a value that cannot be recorded. Never throws. */
  recorded<Name extends "input" | "output" | "args">(name: Name, value: unknown): Recorded<Name> {
    try {
      const copy = cloneJson(value);
      const redacted =
        fitsJsonText(copy, MOST_RECORDED) && this.isActive ? this.#everyText(copy, name) : copy;
      return (
        fitsJsonText(redacted, MOST_RECORDED)
          ? { [name]: redacted }
          : { [name]: null, [`${name}_too_large`]: true }
      ) as Recorded<Name>;
    } catch {
      return { [name]: null, [`${name}_not_json`]: true } as Recorded<Name>;
    }
  }

  #everyText(value: JsonValue, field: RedactedField): JsonValue {
    if (typeof value === "string") return this.text(value, field);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#everyText(item, field));
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [this.text(key, field), this.#everyText(member, field)]),
    );
  }
}
