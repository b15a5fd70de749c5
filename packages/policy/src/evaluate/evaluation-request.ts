import {
  type Audience,
  namedOptions,
  PermissionGateError,
  type PermissionMode,
  type PolicyCall,
  type Rule,
  type WorkspaceReader,
} from "@x/permission-core";
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

const EVALUATION_OPTIONS = {
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

const REQUEST_OPTIONS = {
  ...EVALUATION_OPTIONS,
  rules: true,
  learned: true,
  mode: true,
  audience: true,
  workspace: true,
} as const satisfies Record<Exclude<keyof EvaluationRequest, "call">, true>;

/**
 * A copy of those options that say how rules are read. Throws code `invalid_option` where one that has an entry for each tool only
 * inherits them: what is read by name would not find them, and rules would hold of other tools than they seem to.
 */
export function evaluationOptionsOf(options: EvaluationOptions): EvaluationOptions {
  const copy = namedOptions(options, EVALUATION_OPTIONS);
  requireOwnEntries("toolKinds", copy.toolKinds);
  requireOwnEntries("targetKeys", copy.targetKeys);
  return copy;
}

/** A copy of what is asked, but for the call; default: no rules. */
export function requestOptionsOf(
  options: Partial<Omit<EvaluationRequest, "call">>,
): Omit<EvaluationRequest, "call"> {
  const copy = namedOptions(options, REQUEST_OPTIONS);
  return { ...copy, ...evaluationOptionsOf(copy), rules: copy.rules ?? [] };
}

function requireOwnEntries(option: string, map: object | undefined): void {
  const parent: object | null = map === undefined ? null : Object.getPrototypeOf(map);
  // That of any realm.
  if (parent === null || Object.hasOwn(parent, "hasOwnProperty")) return;
  throw new PermissionGateError(
    "invalid_option",
    `${option} must be a plain object, with every entry a property of its own.`,
  );
}
