import { type AskResolver, type PendingAsk, PermissionGateError } from "@x/permission-core";

/** How much is approved without asking, and who is asked about the rest. */
export interface IsolationOptions {
  /**
   * What is approved: `floored`, the default, only asks where nothing but the substitution floor stands between the call and
   * an operator's allow; `undemanded`, every ask that no operator's rule demands. Choose the second only for agents whose
   * workspace can be thrown away.
   */
  approve?: "floored" | "undemanded";
  /** asked where this layer may not approve; default nobody */
  delegate?: AskResolver;
}

/**
 * The approval layer of a child agent in a workspace of its own. A question that an operator's rule demands is never approved
 * here, nor one about a tool whose description has changed since it was approved: these go to `delegate`, and without one
 * they fail with code `ask_unavailable`.
 */
export function autoApproveInIsolation(options: IsolationOptions = {}): AskResolver {
  const { approve = "floored", delegate } = options;
  return {
    interactive: false,
    resolve(pending, context) {
      if (mayApprove(pending, approve)) return { resolution: "Approve", decided_by: "isolation" };
      if (delegate === undefined || (context.isNonInteractive && delegate.interactive !== false))
        throw new PermissionGateError("ask_unavailable", `nobody can be asked about ${pending.tool}`);
      return delegate.resolve(pending, context);
    },
    settled(pending, outcome) {
      if (!mayApprove(pending, approve)) return delegate?.settled?.(pending, outcome);
    },
  };
}

/** Fails closed: an ask that says nothing of itself is not approved as floored. */
function mayApprove(pending: PendingAsk, approve: "floored" | "undemanded"): boolean {
  if (pending.configured_ask === true || pending.descriptor_changed === true) return false;
  return approve === "undemanded" || pending.floored_configured_allow === true;
}
