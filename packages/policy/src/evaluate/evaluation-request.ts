import type { Audience, PermissionMode, PolicyCall, Rule, WorkspaceReader } from "@x/permission-core";
import type { CallOptions } from "../calls/call-target.js";
import type { ShellDialect } from "../shell/shell-analysis.js";

/** How rules are read, the same for every call. */
export interface EvaluationOptions extends CallOptions {
  /** what a substitution of allowed commands comes to: `floor` (default) asks, `evaluate` lets the rules decide alone */
  readonly substitution?: "floor" | "evaluate";
  /** which shell reads the text of `Shell` calls; default `posix`. Calls of kind `Bash` are read as bash. */
  readonly dialect?: ShellDialect;
  /** names of environment variables whose assignment before a command changes nothing that matters; default none */
  readonly benignAssignments?: readonly string[];
  /** the host's tools: a rule about any other is reported as a problem; default none but the kinds and what MCP serves */
  readonly knownTools?: readonly string[];
}

export const EVALUATION_OPTIONS = {
  toolKinds: true,
  targetKeys: true,
  substitution: true,
  dialect: true,
  benignAssignments: true,
  knownTools: true,
} as const satisfies Record<keyof EvaluationOptions, true>;

/** What `evaluateRules` and `explainRules` are asked. */
export interface EvaluationRequest extends EvaluationOptions {
  readonly rules: readonly Rule[];
  /** what this session learned */
  readonly learned?: readonly Rule[];
  /** default `default` */
  readonly mode?: PermissionMode;
  /** default `all` */
  readonly audience?: Audience;
  readonly call: PolicyCall;
  readonly workspace?: WorkspaceReader;
}
