import {
  argsDigest,
  cloneJson,
  type GateDecision,
  type JsonValue,
  notJsonPath,
  randomIds,
} from "@x/permission-core";
import { DispatchContext } from "../dispatch-context.js";
import { DispatchRecorder } from "../dispatch-recorder.js";
import { createEnvironment } from "../environment.js";
import { notJsonDecision } from "../pipeline/dispatch.js";
import type { EvaluateOverrides } from "./permission-middleware.js";

/** A synthetic call for a dry run without a pipeline; or the denial of an input that JSON cannot hold. */
export function standaloneContext(
  toolName: string,
  input: unknown,
  overrides: EvaluateOverrides,
): { context: DispatchContext } | { decision: GateDecision } {
  let own: JsonValue;
  try {
    own = cloneJson(input);
  } catch (error) {
    return { decision: notJsonDecision(toolName, notJsonPath(error)) };
  }
  const ids = overrides.ids ?? randomIds;
  const given = overrides.toolContext;
  const facts = {
    toolName,
    callId: overrides.callId ?? "",
    turn: overrides.turn ?? 0,
    argsDigest: argsDigest(own),
    valueDigest: null,
    tool: overrides.tool ?? null,
    currentTool: () => overrides.tool ?? null,
    session: {
      sessionId: given?.sessionId ?? ids.uuid(),
      runId: given?.runId ?? ids.uuid(),
      isNonInteractive: given?.isNonInteractive ?? false,
      ...(given?.agent === undefined ? undefined : { agent: given.agent }),
    },
    recorder: new DispatchRecorder(),
    environment: createEnvironment(overrides),
    foreignLayers: false,
    dryRun: true,
    state: {
      permission: overrides.permission ?? { kind: "allow" as const },
      effectiveDigest: null,
      recalled: null,
    },
  };
  return { context: new DispatchContext(facts, own, overrides.signal) };
}
