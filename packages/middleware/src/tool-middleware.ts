import type { GateDecision, JsonValue, PermissionCheck, ToolDescriptor } from "@x/permission-core";
import type { ToolDispatchResult } from "./dispatch-result.js";
import type { ToolContext } from "./tool.js";

/** What a check and a layer see of a call. */
export interface ToolDispatchContext {
  readonly toolName: string;
  /** May be replaced by a layer before `next()`; the digest never changes. */
  input: JsonValue;
  readonly callId: string;
  readonly turn: number;
  /** 16 hex, of the call that the model made */
  readonly argsDigest: string;
  /** null in a dry run outside a pipeline */
  readonly tool: (ToolDescriptor & { readOnly: boolean; kind?: string }) | null;
  readonly toolContext: ToolContext;
  readonly signal: AbortSignal;
  /** what an earlier layer or the caller claims of this call; starts as allow */
  readonly permission: PermissionCheck;
  /** Replaces the claim only by a stricter one: deny > ask > modify > allow. */
  tighten(claim: PermissionCheck): void;
}

/** Goes on to the next layer inwards, by option under a signal of the caller's own. */
export type NextLayer = (inner?: { signal: AbortSignal }) => Promise<ToolDispatchResult>;

/** A layer of a pipeline. */
export interface ToolMiddleware {
  readonly name: string;
  dispatch(context: ToolDispatchContext, next: NextLayer): Promise<ToolDispatchResult>;
  /** The dry run: decides without asking, saving or executing. A layer without it is passed over. */
  evaluate?(
    context: ToolDispatchContext,
    next: () => Promise<GateDecision | null>,
  ): Promise<GateDecision | null>;
}
