import type { Awaitable, JsonValue, PermissionCheck, ToolDescriptor } from "@x/permission-core";

/** Where and for whom a call runs. */
export interface ToolContext {
  sessionId: string;
  runId: string;
  agent?: string;
  /** Nobody sits at this process: resolvers that need somebody here are not asked. */
  isNonInteractive: boolean;
  /** Fires when the call is cancelled or times out. */
  signal: AbortSignal;
}

/**
 * A tool. `defineTool` infers `Name` and `Input` from a zod schema, `jsonSchemaTool` takes plain JSON Schema; an object
 * literal will do as well. A check and `call` see the same, parsed value.
 */
export interface Tool<Name extends string = string, Input = unknown> extends ToolDescriptor {
  readonly name: Name;
  /** It changes nothing anywhere. Default false. */
  readonly readOnly?: boolean;
  /** Which kind of tool a policy takes it for (`Read`, `Bash`, …). Default: by name. */
  readonly kind?: string;
  /** Judges the model's input before any gate; the error names the field. Left out: any JSON value is taken. */
  parse?(input: JsonValue): Awaitable<{ value: Input } | { error: string }>;
  /**
   * Runs the tool. May throw `ToolPermissionError(reason)`: an error result of kind `permission`. What it gives is passed
   * on as it is; `undefined` counts as null.
   */
  call(input: Input, context: ToolContext): Awaitable<unknown>;
}

/** A call that the model made. */
export type ToolCall = {
  toolName: string;
  callId: string;
  /** which turn of the conversation; default 0 */
  turn?: number;
  signal?: AbortSignal;
  toolContext?: Partial<Omit<ToolContext, "signal">>;
  /** the claim that `fromContext()` honours; default allow */
  permission?: PermissionCheck;
} & (
  | {
      input: unknown;
      /** the arguments as the model wrote them; must say the same as `input` */
      inputText?: string;
    }
  | {
      /** the input is parsed from it, and the digest is of this text */
      inputText: string;
      input?: never;
    }
);

export type ToolErrorKind =
  | "permission"
  | "validation"
  | "unknown_tool"
  | "tool"
  | "timeout"
  | "cancelled"
  | "guard";
