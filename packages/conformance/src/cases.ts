import { type JsonValue, PermissionGateError } from "@x/permission-core";
import ask from "../cases/ask.json" with { type: "json" };
import core from "../cases/core.json" with { type: "json" };
import gate from "../cases/gate.json" with { type: "json" };
import grants from "../cases/grants.json" with { type: "json" };
import policyRules from "../cases/policy-rules.json" with { type: "json" };
import policyShell from "../cases/policy-shell.json" with { type: "json" };
import ui from "../cases/ui.json" with { type: "json" };

/** A situation that users of permission systems reported, with the answer that is right. In words: a test is written for it. */
export interface Case {
  /** `CASE-` and three digits; a test that covers it has `[CASE-…]` in its title */
  id: string;
  kind: string;
  symptom: string;
  input: { readonly [key: string]: JsonValue };
  right_answer: string;
}

const CASES: ReadonlyMap<string, Case> = new Map(
  [core, gate, ask, grants, ui, policyShell, policyRules].flatMap(({ cases }) =>
    (cases as Case[]).map((item) => [item.id, item] as const),
  ),
);

/** A fresh copy of the case. Throws code `invalid_option` where there is none of that id. */
export function caseById(id: string): Case {
  const found = CASES.get(id);
  if (found === undefined)
    throw new PermissionGateError("invalid_option", `no case has the id ${JSON.stringify(id)}`);
  return structuredClone(found);
}
