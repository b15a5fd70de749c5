import {
  argsDigest,
  CHECK_STRICTNESS,
  type GrantStore,
  isPermissionCheck,
  type JsonValue,
  type PermissionCheck,
} from "@x/permission-core";
import type { DispatchRecorder } from "./dispatch-recorder.js";
import type { DispatchEnvironment } from "./environment.js";
import { copyClaim } from "./gate/copy-check.js";
import { memberGetter } from "./member-getter.js";
import type { Tool, ToolContext } from "./tool.js";
import type { ToolDispatchContext } from "./tool-middleware.js";

/** What changes while a call is decided. */
interface DispatchState {
  /** the claim */
  permission: PermissionCheck;
  /** 16 hex, of what ran; null: nothing did */
  effectiveDigest: string | null;
  /** the store in which the model's input was just looked up, and met no denial */
  recalled: GrantStore | null;
}

/** What one call is, however many layers look at it. */
export interface DispatchFacts {
  readonly toolName: string;
  readonly callId: string;
  readonly turn: number;
  readonly argsDigest: string;
  /** digest of the model's input as a value, where its text says more than the value can hold; else null */
  readonly valueDigest: string | null;
  readonly tool: Tool | null;
  /** the tool of that name as it stands now: it may have been replaced since the call began */
  currentTool(): Tool | null;
  readonly session: Readonly<Omit<ToolContext, "signal">>;
  readonly recorder: DispatchRecorder;
  readonly environment: DispatchEnvironment;
  /** whether layers from elsewhere take part, which may change an input in place */
  readonly foreignLayers: boolean;
  /** nothing may be asked, saved, counted or run */
  readonly dryRun: boolean;
  /** shared by every view of the call */
  readonly state: DispatchState;
}

const BRAND = Symbol.for("@x/middleware/dispatch-context");

/** One layer's view of a call. Layers inside a timeout have a view of their own, with its signal. */
export class DispatchContext implements ToolDispatchContext {
  readonly [BRAND] = true;
  readonly facts: DispatchFacts;
  /** the model's input, judged; while `input` is this very value, nothing replaced it */
  #given: JsonValue;
  /** 16 hex, of that value */
  readonly #givenDigest: string;
  #described: ToolDispatchContext["tool"] | undefined;
  #toolContext: ToolContext | null = null;
  #signal: AbortSignal | undefined;
  input: JsonValue;

  /** `inputDigest` is the digest of `input`; default: `input` is what the model gave. */
  constructor(
    facts: DispatchFacts,
    input: JsonValue,
    signal: AbortSignal | undefined,
    inputDigest: string = facts.argsDigest,
  ) {
    this.facts = facts;
    this.#given = input;
    this.#givenDigest = inputDigest;
    this.input = input;
    this.#signal = signal;
  }

  /** Made when first asked for, where the caller gave none: an `AbortSignal` costs more than a whole decision. */
  get signal(): AbortSignal {
    this.#signal ??= new AbortController().signal;
    return this.#signal;
  }

  /** Whether the call was cancelled, timed out or is over: nothing may be asked or run any more. */
  get ended(): boolean {
    return (this.#signal?.aborted ?? false) || this.facts.recorder.cancelled || this.facts.recorder.closed;
  }

  get toolName(): string {
    return this.facts.toolName;
  }

  get callId(): string {
    return this.facts.callId;
  }

  get turn(): number {
    return this.facts.turn;
  }

  get argsDigest(): string {
    return this.facts.argsDigest;
  }

  get permission(): PermissionCheck {
    return this.facts.state.permission;
  }

  get tool(): ToolDispatchContext["tool"] {
    this.#described ??= describe(this.facts.tool);
    return this.#described;
  }

  get toolContext(): ToolContext {
    this.#toolContext ??= new OwnToolContext(this);
    return this.#toolContext;
  }

  tighten(claim: PermissionCheck): void {
    const { state } = this.facts;
    // What is no claim of its form stays, and is refused by the gate that honours it.
    if (!isPermissionCheck(state.permission)) return;
    const own = copyClaim(claim);
    const looser =
      isPermissionCheck(own) && CHECK_STRICTNESS[own.kind] <= CHECK_STRICTNESS[state.permission.kind];
    if (!looser) state.permission = own;
  }

  /** The same call under another signal, with the input as it stands here. */
  derive(signal: AbortSignal): DispatchContext {
    const derived = new DispatchContext(this.facts, this.input, signal, this.#givenDigest);
    derived.#given = this.#given;
    return derived;
  }

  /** Whether the input is the model's own, and nobody can have changed it. */
  get untouched(): boolean {
    return this.input === this.#given && !this.facts.foreignLayers;
  }

  /** 16 hex, of what runs: the model's own, without another reading, where nobody can have changed it. */
  effectiveDigest(): string {
    return this.untouched ? this.#givenDigest : this.inputDigest();
  }

  /** 16 hex, of the input as it stands: of the model's text, where that still is what it says. */
  inputDigest(): string {
    const digest = argsDigest(this.input);
    return digest === this.facts.valueDigest ? this.facts.argsDigest : digest;
  }

  /** Whether the input is the model's own, spelled in a way that its value cannot show (`1.0`, `-0`). */
  get spelledBeyondValue(): boolean {
    const { valueDigest } = this.facts;
    return valueDigest !== null && (this.input === this.#given || argsDigest(this.input) === valueDigest);
  }
}

/** The inside of a call, for the layers of this package, whichever loaded copy of it made the context. */
export function dispatchContextOf(context: ToolDispatchContext): DispatchContext {
  if ((context as Partial<DispatchContext>)[BRAND] !== true) {
    throw new TypeError(
      "A layer was called with a context that no pipeline made; call pipeline.invoke() instead.",
    );
  }
  return context as DispatchContext;
}

/** What a tool sees of its call. */
class OwnToolContext implements ToolContext {
  static readonly #SIGNAL = memberGetter(OwnToolContext.prototype, "signal");
  readonly sessionId: string;
  readonly runId: string;
  readonly isNonInteractive: boolean;
  declare readonly agent?: string;
  readonly #context: DispatchContext;

  constructor(context: DispatchContext) {
    const { sessionId, runId, agent, isNonInteractive } = context.facts.session;
    this.sessionId = sessionId;
    this.runId = runId;
    this.isNonInteractive = isNonInteractive;
    if (agent !== undefined) this.agent = agent;
    this.#context = context;
    Object.defineProperty(this, "signal", OwnToolContext.#SIGNAL);
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }
}

function describe(tool: Tool | null): ToolDispatchContext["tool"] {
  if (tool === null) return null;
  const { name, description, inputSchema } = tool;
  const readOnly = tool.readOnly ?? false;
  return tool.kind === undefined
    ? { name, description, inputSchema, readOnly }
    : { name, description, inputSchema, readOnly, kind: tool.kind };
}
