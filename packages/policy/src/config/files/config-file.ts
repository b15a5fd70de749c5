import type { RuleScope } from "@x/permission-core";

/** The largest file that is read, in bytes of UTF-8. */
export const MAX_BYTES = 262_144;

/** A file that may hold rules. */
export interface ConfigFile {
  readonly path: string;
  readonly scope: RuleScope;
  readonly form: "permissions" | "claude";
  /** whether its allows count */
  readonly trusted: boolean;
  /** whether it must be there */
  readonly required: boolean;
}

export type ConfigSyntax = "json" | "yaml";

/** By its name; what is called neither is read as YAML. */
export function syntaxOf(path: string): ConfigSyntax {
  return /\.jsonc?$/i.test(path) ? "json" : "yaml";
}
