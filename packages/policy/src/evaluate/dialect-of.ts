import type { PolicyCall } from "@x/permission-core";
import type { ShellDialect } from "../shell/shell-analysis.js";

export interface DialectOptions {
  readonly toolKinds?: { readonly [tool: string]: string };
  /** of calls of kind `Shell`; default `posix` */
  readonly dialect?: ShellDialect;
}

/** Which shell reads a call's text: bash where its kind is `Bash`, else as the host says. */
export function dialectOf(
  call: PolicyCall,
  { toolKinds = {}, dialect = "posix" }: DialectOptions,
): ShellDialect {
  const mapped = Object.hasOwn(toolKinds, call.tool) ? toolKinds[call.tool] : undefined;
  const named = call.kind === "" ? undefined : call.kind;
  return (named ?? mapped ?? call.tool) === "Bash" ? "bash" : dialect;
}
