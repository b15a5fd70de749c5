import { callTargets } from "../calls/call-targets.js";
import { isListedKind } from "../calls/tool-kind.js";
import type { Evaluation } from "./evaluation.js";
import { judgeShell } from "./judge-shell.js";
import { judgeTargets } from "./judge-targets.js";
import { type Judgement, judgePlanMode } from "./judgement.js";

/** Kinds that change something whatever their target. */
const CHANGING: readonly string[] = ["Edit", "Write", "Copy", "Move", "Remove"];

/** What each text of the call comes to. */
export function judgeCall(evaluation: Evaluation): Judgement[] {
  const { kind, mode, request } = evaluation;
  if (kind === "Shell") return judgeShell(evaluation);
  if (mode === "plan") {
    const refusal = planRefusal(kind, request.call.readOnly);
    if (refusal !== null)
      return callTargets(request.call, request).map(({ text }) => judgePlanMode(text, refusal));
  }
  return judgeTargets(evaluation);
}

/** Why plan mode denies a call of this kind; null: the rules decide. */
function planRefusal(kind: string, readOnly: boolean | undefined): string | null {
  if (CHANGING.includes(kind)) return `plan mode: ${kind} changes something`;
  if (readOnly === false && !isListedKind(kind)) return "plan mode: the tool is not known to change nothing";
  return null;
}
