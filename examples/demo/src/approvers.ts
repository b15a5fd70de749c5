import { terminalAskResolver } from "@x/ask-channel/terminal";
import type { AskAnswer, AskResolver, PendingAsk } from "@x/permission-core";
import { onlyShippedRanIn, type Workspace } from "./workspace.js";

/** Who answers the questions of a run, and how to name them to the user. */
export interface DemoApprover {
  resolver: AskResolver;
  title: string;
  isPerson: boolean;
}

/** The user's one answer to everything; else whoever sits at the terminal; else the script. */
export function chooseApprover(answer: "yes" | "no" | null, workspace: Workspace): DemoApprover {
  if (answer !== null) return { resolver: sameAnswer(answer), title: `--${answer}`, isPerson: false };
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const resolver = terminalAskResolver({ decidedBy: "terminal" });
    return { resolver, title: "you, at this terminal", isPerson: true };
  }
  const resolver = scriptedApprover(() => distrustOf(workspace));
  return { resolver, title: "a script, since there is no terminal", isPerson: false };
}

/** For this run only: a word that was said of a whole transcript is not remembered for the next. */
function sameAnswer(answer: "yes" | "no"): AskResolver {
  const given: AskAnswer = answer === "yes" ? { resolution: "Approve" } : { resolution: "Deny" };
  return { interactive: false, resolve: () => ({ ...given, decided_by: `--${answer}` }) };
}

/**
 * What somebody would answer in the shipped sessions. Remembered are commands that do the same whatever is in the project;
 * the tests run what the agent wrote, so they are approved once, each time.
 */
const ANSWERS: readonly { isAbout: (ask: PendingAsk) => boolean; answer: AskAnswer }[] = [
  { isAbout: command("node --version"), answer: { resolution: "Approve", remember: "this_call" } },
  { isAbout: command("wc -l src/*.js"), answer: { resolution: "Approve", remember: "this_call" } },
  { isAbout: command("node --test"), answer: { resolution: "Approve" } },
  {
    isAbout: command("rm -rf data"),
    answer: { resolution: "Deny", reason: "data/ is the only copy of the list" },
  },
  // Only where it is shown the edit.
  {
    isAbout: ({ tool, details }) => tool === "edit" && details !== undefined,
    answer: { resolution: "Approve", remember: "this_tool" },
  },
];

/**
 * Why the script may approve nothing: its answers were thought out for the shipped sessions, and files that others wrote
 * could make something else of the same commands.
 */
function distrustOf(workspace: Workspace): string | null {
  if (!workspace.isShipped)
    return "the script approves nothing in a transcript that is not one of the shipped ones";
  return onlyShippedRanIn(workspace) ? null : "another transcript has written to this workspace";
}

function scriptedApprover(distrust: () => string | null): AskResolver {
  return {
    interactive: false,
    resolve(ask) {
      const known = ANSWERS.find(({ isAbout }) => isAbout(ask))?.answer;
      const answer = known ?? { resolution: "Deny", reason: "the script does not know this call" };
      const doubt = answer.resolution === "Approve" ? distrust() : null;
      const given: AskAnswer = doubt === null ? answer : { resolution: "Deny", reason: doubt };
      return { ...given, decided_by: "script" };
    },
  };
}

function command(text: string): (ask: PendingAsk) => boolean {
  return ({ tool, details }) => tool === "shell" && details === text;
}
