import { type ShellTool, triedPolicies } from "./policies.js";
import type { RealShell, Sandbox } from "./sandbox.js";

/** A policy that allows a text to a tool whose shell ran `canary`. */
export interface Escape {
  readonly text: string;
  readonly policy: string;
  readonly tool: ShellTool;
  readonly shell: RealShell;
}

interface Candidate {
  readonly text: string;
  readonly inReach: boolean;
}

/** The shells that may read what a tool carries. */
const READERS: { readonly [tool in ShellTool]: readonly RealShell[] } = {
  Bash: ["bash"],
  Shell: ["dash", "posix-bash"],
};

/** The policies that allow a text and promised that it runs no `canary`, for each shell that may get to read it. */
export function allowedIn({ text, inReach }: Candidate): Map<RealShell, Escape[]> {
  const allowed = new Map<RealShell, Escape[]>();
  for (const tool of ["Bash", "Shell"] as const) {
    const policies = triedPolicies.filter(
      (policy) => (inReach || policy.promises === "nothing") && policy.effectOf(tool, text) === "allow",
    );
    if (policies.length === 0) continue;
    for (const shell of READERS[tool])
      allowed.set(
        shell,
        policies.map(({ name }) => ({ text, policy: name, tool, shell })),
      );
  }
  return allowed;
}

/**
 * Runs a text in every shell to which some policy allows it, and in those of `always` besides. Tells where `canary` ran, and
 * which policies had allowed that.
 */
export async function tryForReal(
  candidate: Candidate,
  sandbox: Sandbox,
  always: readonly RealShell[] = [],
): Promise<{ ran: ReadonlySet<RealShell>; allowed: boolean; escapes: Escape[] }> {
  const allowed = allowedIn(candidate);
  const ran = new Set<RealShell>();
  for (const shell of new Set([...always, ...allowed.keys()]))
    if (await sandbox.runsCanary(shell, candidate.text)) ran.add(shell);
  return { ran, allowed: allowed.size > 0, escapes: [...ran].flatMap((shell) => allowed.get(shell) ?? []) };
}
