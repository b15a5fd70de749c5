import { argsDigest, type GateDecision, type JsonValue } from "@x/permission-core";
import { DispatchContext, type DispatchFacts } from "../dispatch-context.js";
import { DispatchRecorder } from "../dispatch-recorder.js";
import { failure, type ToolDispatchResult } from "../dispatch-result.js";
import type { DispatchEnvironment } from "../environment.js";
import { reportedRecord } from "../gate/decision.js";
import { refusal } from "../gate/texts.js";
import { isPromiseLike } from "../is-promise.js";
import { isParsedInput } from "../parsed-input.js";
import type { Tool, ToolCall } from "../tool.js";
import { waitFor } from "../wait.js";
import { type ReadCall, readCall, type Session } from "./read-call.js";
import type { ToolRegistry } from "./tool-registry.js";

/** A call that has been read, and not yet judged. */
export interface Dispatch {
  facts: DispatchFacts;
  given: ReadCall["given"];
  signal: AbortSignal | undefined;
}

/** Where a dispatch takes place. */
export interface DispatchPlace {
  registry: ToolRegistry;
  environment: DispatchEnvironment;
  /** whether layers from elsewhere take part, which may change an input in place */
  foreignLayers: boolean;
  session: Session;
}

/** Never throws: what is wrong with a call is said when it is admitted. */
export function beginDispatch(call: ToolCall, place: DispatchPlace, dryRun: boolean): Dispatch {
  const { toolName, callId, turn, signal, permission, session, given } = readCall(
    call,
    place.session,
    dryRun,
  );
  const { registry } = place;
  const facts: DispatchFacts = {
    toolName,
    callId,
    turn,
    argsDigest: "digest" in given ? given.digest : "",
    valueDigest: given.kind === "input" ? given.valueDigest : null,
    tool: registry.get(toolName),
    currentTool: () => registry.get(toolName),
    session,
    recorder: new DispatchRecorder(),
    environment: place.environment,
    foreignLayers: place.foreignLayers,
    dryRun,
    state: { permission, effectiveDigest: null, recalled: null },
  };
  return { facts, given, signal };
}

/** A call that may go on to the gates, or the result of one that cannot run at all. */
export type Admission = { context: DispatchContext } | { refused: ToolDispatchResult };

/**
 * Judges the model's input, once and before anything else: nobody is asked about a call that cannot run. Only an input
 * that is no JSON value leaves a record.
 */
export function admit(dispatch: Dispatch, registry: ToolRegistry): Admission | Promise<Admission> {
  const { facts, given, signal } = dispatch;
  if (given.kind === "malformed") return { refused: failure(facts.callId, "validation", given.error) };
  if (facts.tool === null)
    return { refused: failure(facts.callId, "unknown_tool", unknownTool(facts.toolName, registry)) };
  if (given.kind === "not_json") {
    const decision = notJsonDecision(facts.toolName, given.path);
    facts.recorder.record(decision);
    if (!facts.dryRun)
      facts.environment.onReport({
        level: "warn",
        message: "tool call blocked before its gate",
        cause: reportedRecord(decision, facts.environment.clock),
      });
    return { refused: refusal(facts.callId, decision) };
  }
  if (given.kind === "invalid") return { refused: failure(facts.callId, "validation", given.error) };
  if (facts.tool.parse === undefined) return { context: new DispatchContext(facts, given.input, signal) };
  return parseInput(facts.tool, given.input, dispatch);
}

function parseInput(tool: Tool, input: JsonValue, dispatch: Dispatch): Admission | Promise<Admission> {
  const { facts, signal } = dispatch;
  const invalid = (error: string): Admission => ({
    refused: failure(facts.callId, "validation", `Invalid input for tool '${facts.toolName}': ${error}`),
  });
  const failed = (cause: unknown): Admission => {
    facts.environment.onReport({
      level: "error",
      message: `The validator of tool '${facts.toolName}' failed.`,
      cause,
    });
    return invalid("the input could not be validated");
  };
  const accept = (parsed: unknown): Admission => {
    if (!isParsedInput(parsed)) return failed("It gave neither a value nor an error.");
    if ("error" in parsed) return invalid(parsed.error);
    const digest = digestOf(parsed.value, facts);
    return digest === null
      ? invalid("its validator makes something of it that JSON cannot hold")
      : { context: new DispatchContext(facts, parsed.value as JsonValue, signal, digest) };
  };
  try {
    const context = new DispatchContext(facts, input, signal);
    const parsed = tool.parse?.(input);
    if (!isPromiseLike(parsed)) return accept(parsed);
    return waitFor<unknown, Admission>({
      start: () => parsed,
      conclude: (ending) => {
        if (ending.kind === "value") return accept(ending.value);
        if (ending.kind === "cancelled")
          return { refused: failure(facts.callId, "cancelled", cancelledText(facts.toolName)) };
        return failed(ending.kind === "thrown" ? ending.error : "The validator did not answer in time.");
      },
      signal: context.signal,
      timeoutMs: facts.environment.checkTimeoutMs,
      clock: facts.environment.clock,
      openWaits: facts.recorder.openWaits,
    });
  } catch (error) {
    return failed(error);
  }
}

/** 16 hex, of a parsed input: of the model's text, where it still says just that; null for what is no JSON value. */
function digestOf(value: unknown, facts: DispatchFacts): string | null {
  try {
    const digest = argsDigest(value);
    return digest === facts.valueDigest ? facts.argsDigest : digest;
  } catch {
    return null;
  }
}

/** What a model reads of a call that was cancelled before its tool began. */
export function cancelledText(toolName: string): string {
  return `Tool '${toolName}' was cancelled before it ran`;
}

/** The record of an input that JSON cannot hold; it has no digest. */
export function notJsonDecision(tool: string, path: string | null): GateDecision {
  return {
    tool,
    args_digest: "",
    verdict: "deny",
    rule_id: "engine",
    rule_source: "engine",
    matched_pattern: null,
    reason: `policy error: not_json at ${path ?? "an unknown path"}`,
    ts: 0,
  };
}

function unknownTool(name: string, registry: ToolRegistry): string {
  const near = registry.nearest(name).map((known) => `'${known}'`);
  if (near.length > 0) return `Unknown tool '${name}'; nearest known: ${near.join(", ")}`;
  const names = registry.names();
  return names.length === 0
    ? `Unknown tool '${name}'; there are no tools`
    : `Unknown tool '${name}'; no name is near it`;
}
