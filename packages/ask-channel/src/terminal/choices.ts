import type { AskAnswer, PendingAsk, Remember } from "@x/permission-core";

export type ChoiceName =
  | "deny"
  | "allow_once"
  | "allow_session"
  | "allow_this_call"
  | "allow_this_tool"
  | "deny_this_call"
  | "comment";

export interface Choice {
  value: ChoiceName;
  label: string;
}

/** What can be allowed for longer, and the `remember` value that each needs. */
const ALLOW_AND_REMEMBER: readonly (Choice & { remember: Remember })[] = [
  { value: "allow_session", label: "Allow and remember for this session", remember: "session" },
  { value: "allow_this_call", label: "Allow and remember this exact call", remember: "this_call" },
  {
    value: "allow_this_tool",
    label: "Allow and remember this tool, whatever the call",
    remember: "this_tool",
  },
];

/** The list to choose from. Deny comes first, and nothing is offered to remember that would not be honoured. */
export function choicesFor(ask: PendingAsk, hasComment: boolean): Choice[] {
  const rememberable = ask.rememberable ?? [];
  const choices: Choice[] = [
    { value: "deny", label: "Deny" },
    { value: "allow_once", label: "Allow once" },
  ];
  for (const { value, label, remember } of ALLOW_AND_REMEMBER) {
    if (rememberable.includes(remember)) choices.push({ value, label });
  }
  if (rememberable.includes("this_call")) {
    choices.push({ value: "deny_this_call", label: "Deny and remember this exact call" });
  }
  choices.push({ value: "comment", label: hasComment ? "Edit the comment" : "Add a comment" });
  return choices;
}

/** The answer that a choice gives. `comment` is no answer: it opens the field. */
export function answerFor(
  choice: Exclude<ChoiceName, "comment">,
  extra: { comment: string; decidedBy: string | undefined },
): AskAnswer {
  const told = {
    ...(extra.comment === "" ? {} : { reason: extra.comment }),
    ...(extra.decidedBy === undefined ? {} : { decided_by: extra.decidedBy }),
  };
  switch (choice) {
    case "deny":
      return { resolution: "Deny", ...told };
    case "deny_this_call":
      return { resolution: "Deny", remember: "this_call", ...told };
    case "allow_once":
      return { resolution: "Approve", ...told };
    case "allow_session":
      return { resolution: "Approve", remember: "session", ...told };
    case "allow_this_call":
      return { resolution: "Approve", remember: "this_call", ...told };
    case "allow_this_tool":
      return { resolution: "Approve", remember: "this_tool", ...told };
  }
}
