import { cloneJson, type GateEvent, type JsonValue } from "@x/permission-core";
import type { ToolPostEvent, ToolPreEvent } from "../engine/observer.js";

/** The version of the line format, in every line. */
export const LEDGER_VERSION = 1;

/** One line of a ledger: the event as observers get it. */
export type LedgerLine =
  | ({ v: typeof LEDGER_VERSION; type: "tool.call" } & ToolPreEvent & Recorded<"input">)
  | ({ v: typeof LEDGER_VERSION; type: "gate.decision" } & GateEvent)
  | ({ v: typeof LEDGER_VERSION; type: "tool.result" } & ToolPostEvent & Recorded<"output">);

/** A value of the call, where the ledger records them; `<name>_not_json` beside a null marks one that JSON cannot hold. */
type Recorded<Name extends string> = { [Key in Name]?: JsonValue } & { [Key in `${Name}_not_json`]?: true };

/** What is not a line break to JSON but is one, or worse, to a terminal or to a reader that splits by Unicode's rules. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

/** The text of a line, without its end. No character in any field can break it. */
export function lineText(line: LedgerLine): string {
  return JSON.stringify(line).replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}

/** `value` as it is under `name`, or the mark of one that is no JSON value. Never throws. */
export function recorded<Name extends "input" | "output">(name: Name, value: unknown): Recorded<Name> {
  try {
    return { [name]: cloneJson(value) } as Recorded<Name>;
  } catch {
    return { [name]: null, [`${name}_not_json`]: true } as Recorded<Name>;
  }
}
