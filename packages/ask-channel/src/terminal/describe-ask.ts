import { displaySafe, type PendingAsk } from "@x/permission-core";
import { labelledRows, textWidth } from "./labelled-rows.js";

/**
 * An ask as rows to show on a terminal of so many columns. Everything that a model, a tool or an agent could have
 * written is escaped and kept out of the column of the labels. Line breaks of `details` stay line breaks; everywhere
 * else they are escaped, as nothing else there needs one.
 */
export function describeAsk(ask: PendingAsk, columns: number): string[] {
  let escaped = false;
  const rows: string[] = [];
  const add = (label: string, lines: readonly string[]): void => {
    // Nothing is left out: what was cut could be what matters.
    const shown = lines.map((line) => displaySafe(line, { maxLength: Number.POSITIVE_INFINITY }));
    escaped ||= shown.some((line) => line.escaped);
    const texts = shown.map((line) => line.text);
    for (const row of labelledRows(label, texts, columns)) rows.push(row);
  };
  add("Tool", [ask.tool]);
  if (ask.agent !== undefined) add("Agent", [ask.agent]);
  add("Asks", [ask.prompt]);
  if (ask.details !== undefined) add("Details", ask.details.split(/\r?\n/));
  add("Digest", [ask.args_digest]);
  if (escaped) add("!", ["Hidden or control characters are in this request. They are shown escaped."]);
  if (ask.descriptor_changed === true) {
    add("!", ["The description of this tool has changed since it was approved. Look again."]);
  }
  return rows;
}

/**
 * The rows above the list of answers: what is asked once more, in few lines, so that it is in sight however much there
 * is above; the comment, if there is one; and the question.
 */
export function askQuestion(ask: PendingAsk, comment: string, columns: number): string[] {
  const brief = (label: string, text: string, lines: number): string[] =>
    labelledRows(label, [displaySafe(text, { maxLength: lines * textWidth(columns) }).text], columns);
  return [
    ...brief("Tool", ask.tool, 1),
    ...brief("Asks", ask.prompt, 2),
    ...(comment === "" ? [] : brief("Comment", comment, 2)),
    "Allow this call? (n or Escape denies)",
  ];
}
