import type { Awaitable, JsonValue } from "./json.js";

/** Where a rule was written, strongest first: `managed`, `cli`, `local-project`, `shared-project`, `user`, `builtin`. */
export type RuleScope = "managed" | "cli" | "local-project" | "shared-project" | "user" | "builtin";
export type RuleEffect = "allow" | "ask" | "deny";
export type Audience = "all" | "main" | "subagent";
export type PermissionMode = "default" | "plan" | "accept-edits";

export interface Rule {
  scope: RuleScope;
  /** empty matches every tool */
  tool: string;
  /** empty matches every target */
  pattern: string;
  effect: RuleEffect;
  exact?: boolean;
  /** default `all` */
  audience?: Audience;
  id?: string;
  /** shown to the model on deny, to the approver on ask */
  reason?: string;
  /** where it was written */
  origin?: { file: string; line?: number };
}

export interface RuleProblem {
  file: string;
  line?: number;
  column?: number;
  text: string;
  message: string;
}

/** What loaders and resolvers give. `failClosed` non-null: everything asks, with this as the reason. */
export interface RuleSet {
  rules: readonly Rule[];
  problems: readonly RuleProblem[];
  failClosed: string | null;
}

export interface RuleResolver {
  resolve(workspace: WorkspaceReader | undefined): Awaitable<RuleSet>;
}

export interface PartDecision {
  text: string;
  effect: RuleEffect;
  rule: Rule | null;
  reason: string;
}

export interface PermissionDecision {
  effect: RuleEffect;
  reason: string;
  rule: Rule | null;
  /** an operator's ask rule won: nothing wider than a `this_call` grant answers it */
  configuredAsk: boolean;
  flooredConfiguredAllow: boolean;
  parts: PartDecision[];
  /** what decided where no rule did; left out: worked out from mode and flags */
  basis?: "no-match" | "plan-mode" | "substitution-floor" | "opaque";
}

/** What a policy may see of the file system. */
export interface WorkspaceReader {
  readonly root: string;
  readonly home?: string;
  readonly platform: "posix" | "win32";
  readonly caseInsensitive: boolean;
  /** null: does not exist. Throws on loops, on links that lead nowhere and on refusals. Synchronous, since decisions are. */
  realPath(path: string): string | null;
  readText(path: string): { text: string; stamp: string } | null;
}

export interface PolicyCall {
  tool: string;
  input: JsonValue;
  /** the host's mapping; left out: by name */
  kind?: string;
  readOnly?: boolean;
}

export interface PolicyRequest {
  sessionId: string;
  mode: PermissionMode;
  call: PolicyCall;
  audience: Audience;
  workspace?: WorkspaceReader;
  signal?: AbortSignal;
}

/** The port of a rule engine, or of an external authorization service. */
export interface PermissionPolicy {
  evaluate(request: PolicyRequest): Awaitable<PermissionDecision>;
  /** "Allow always" for this session; null when nothing narrow can be learned, or nothing is ever learned. */
  learn(request: Omit<PolicyRequest, "mode" | "signal">): Awaitable<Rule | null>;
  /** What `learn` would give, recording nothing: whether "for this session" can be offered. */
  learnable(request: Omit<PolicyRequest, "mode" | "signal">): Awaitable<Rule | null>;
}

/** Keeps the rules that sessions learned. */
export interface PermissionStore {
  record(sessionId: string, rule: Rule): Awaitable<void>;
  rules(sessionId: string): Awaitable<Rule[]>;
  forget(sessionId: string): Awaitable<void>;
}
