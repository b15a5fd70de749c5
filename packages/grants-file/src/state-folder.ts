import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where things of one kind are kept unless told otherwise: `$XDG_STATE_HOME/permission-gate/<kind>`, else under `~/.local/state`. */
export function stateFolder(kind: string): string {
  const stateHome = process.env["XDG_STATE_HOME"] ?? "";
  // The specification of the variable asks to ignore a relative one.
  const base = isAbsolute(stateHome) ? stateHome : join(homedir(), ".local", "state");
  return join(base, "permission-gate", kind);
}
