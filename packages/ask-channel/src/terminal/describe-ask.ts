import { displaySafe, type PendingAsk } from "@x/permission-core";

/** An ask as lines to show. Everything that a model, a tool or an agent could have written is escaped in them. */
export interface AskDescription {
  lines: string[];
  /** the question above the list of answers, in one line */
  question: string;
}

const LABEL_WIDTH = 9;

/** Line breaks of `details` stay line breaks; everywhere else they are escaped, as nothing else there needs one. */
export function describeAsk(ask: PendingAsk): AskDescription {
  let escaped = false;
  // Nothing is left out: what was cut could be what matters.
  const safe = (text: string): string => {
    const shown = displaySafe(text, { maxLength: Number.POSITIVE_INFINITY });
    escaped ||= shown.escaped;
    return shown.text;
  };
  const tool = safe(ask.tool);
  const lines = [labelled("Tool", tool)];
  if (ask.agent !== undefined) lines.push(labelled("Agent", safe(ask.agent)));
  lines.push(labelled("Asks", safe(ask.prompt)));
  if (ask.details !== undefined) {
    const [first = "", ...rest] = ask.details.split(/\r?\n/);
    lines.push(labelled("Details", safe(first)), ...rest.map((line) => labelled("", safe(line))));
  }
  lines.push(labelled("Digest", safe(ask.args_digest)));
  if (escaped) lines.push("! Hidden or control characters are in this request. They are shown escaped.");
  if (ask.descriptor_changed === true) {
    lines.push("! The description of this tool has changed since it was approved. Look again.");
  }
  return { lines, question: `Allow this call of ${tool}? (n or Escape denies)` };
}

function labelled(label: string, text: string): string {
  return `${label.padEnd(LABEL_WIDTH)}${text}`;
}
