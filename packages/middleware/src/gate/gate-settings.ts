import type {
  AskResolver,
  Audience,
  Awaitable,
  GrantStore,
  PermissionCheck,
  PermissionMode,
  PermissionPolicy,
  WorkspaceReader,
} from "@x/permission-core";
import type { ToolDispatchContext } from "../tool-middleware.js";

/** Judges a call in its dispatch context. It must not change the input in place; to change it, it answers `modify`. */
export type CheckFunction = (context: ToolDispatchContext) => Awaitable<PermissionCheck>;

/**
 * A check of one tool: a fixed decision, or a function of the parsed input, which is the very value that will run. It must
 * not change the input in place; to change it, it answers `modify`.
 */
export type ToolCheck<Input> =
  | PermissionCheck
  | ((input: Input, context: ToolDispatchContext) => Awaitable<PermissionCheck>);

export interface PolicyOptions {
  /** default `default`; a function is asked at every call */
  mode?: PermissionMode | (() => PermissionMode);
  /** default `main` */
  audience?: Audience;
  workspace?: WorkspaceReader;
}

/** What a gate was built with. */
export interface GateSettings {
  /** what decides a tool that has no check: the claim, or a fixed answer */
  preset: "context" | "deny" | "allow";
  /** the check of every tool */
  check: { run: CheckFunction; ruleId: string | null } | null;
  toolChecks: Map<string, ToolCheck<never>>;
  policy: (PolicyOptions & { policy: PermissionPolicy }) | null;
  askResolver: AskResolver | null;
  askTimeoutMs: number | undefined;
  checkTimeoutMs: number | undefined;
  grants: { store: GrantStore; rememberTools: ReadonlySet<string> } | null;
  revalidating: boolean;
}

/** The `rule_id` of a gate's own records: its check's name, where it has one. */
export function ownId(settings: GateSettings): string {
  return settings.check?.ruleId ?? "middleware";
}
