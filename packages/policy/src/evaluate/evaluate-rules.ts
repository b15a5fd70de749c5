import type { PermissionDecision } from "@x/permission-core";
import { Evaluation } from "./evaluation.js";
import type { EvaluationRequest } from "./evaluation-request.js";
import { fold } from "./fold.js";
import { judgeCall } from "./judge-call.js";

/**
 * Decides a call from rules. Nothing is allowed that they do not clearly allow: what cannot be read asks, and so does what
 * no rule speaks of. `rules` and `learned` are made ready once and known by identity from then on, so that a list or a rule
 * in it must not be changed in place; give a new list instead. `parts` names every part that was judged, in the call's order.
 */
export function evaluateRules(request: EvaluationRequest): PermissionDecision {
  return fold(judgeCall(new Evaluation(request, { keepsMatches: false })));
}
