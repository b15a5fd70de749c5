import { PassThrough } from "node:stream";
import { isCancel, note, outro, select, text } from "@clack/prompts";
import type { AskAnswer, Clock, PendingAsk } from "@x/permission-core";
import { answerFor, type ChoiceName, choicesFor } from "./choices.js";
import { decideKey, type KeySituation } from "./decide-key.js";
import { askQuestion, describeAsk } from "./describe-ask.js";
import type { Key } from "./key-parser.js";
import { onScreenFor } from "./on-screen-for.js";
import type { SizedTerminalOutput } from "./terminal-streams.js";

/** How long the list is on screen before a key can be meant for it. */
const GRACE_MS = 300;

/** Why a dialog ended without a choice from its list. */
export type DialogEnd =
  /** a key that denies, or the end of the input */
  | { kind: "denied"; reason?: string }
  /** the wait ended otherwise; `text` says how */
  | { kind: "withdrawn"; text: string }
  /** the terminal failed */
  | { kind: "broken"; cause: unknown };

export type DialogResult = { kind: "answer"; answer: AskAnswer } | Exclude<DialogEnd, { kind: "denied" }>;

/**
 * One ask on screen. It has the prompts read from a stream of its own, which only carries the keys that `decideKey`
 * lets pass, so neither the real input nor the prompts' own key bindings can decide.
 */
export class AskDialog {
  readonly #ask: PendingAsk;
  readonly #output: SizedTerminalOutput;
  readonly #clock: Clock;
  readonly #decidedBy: string | undefined;
  readonly #situation: KeySituation = { mode: "choosing", deliberate: false };
  #prompt: PassThrough | null = null;
  #end: DialogEnd | null = null;

  constructor(
    ask: PendingAsk,
    screen: { output: SizedTerminalOutput; clock: Clock; decidedBy: string | undefined },
  ) {
    this.#ask = ask;
    this.#output = screen.output;
    this.#clock = screen.clock;
    this.#decidedBy = screen.decidedBy;
  }

  /** Shows the ask and gives what came of it. */
  async run(): Promise<DialogResult> {
    const rows = describeAsk(this.#ask, this.#output.columns);
    note(rows.join("\n"), "Permission needed", { output: this.#output });
    let comment = "";
    for (;;) {
      const choice = await this.#choose(comment);
      if (this.#end !== null) return this.#ended(this.#end, comment);
      if (choice !== "comment") return this.#answered(choice, comment);
      comment = (await this.#edit(comment)) ?? comment;
      if (this.#end !== null) return this.#ended(this.#end, comment);
    }
  }

  /** A key that somebody pressed. */
  press(key: Key): void {
    const decision = decideKey(key, this.#situation);
    if (decision === "deny") this.end({ kind: "denied" });
    else if (decision === "pass") this.#send(key);
  }

  /** Takes the prompt down. Whatever ended the dialog first stands. */
  end(end: DialogEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#fold();
  }

  async #choose(comment: string): Promise<ChoiceName> {
    this.#situation.mode = "choosing";
    this.#situation.deliberate = false;
    const message = () => askQuestion(this.#ask, comment, this.#output.columns).join("\n");
    const chosen = this.#open((input) =>
      select<ChoiceName>({
        // Read anew for each repaint, as the terminal may have got another width.
        get message() {
          return message();
        },
        options: choicesFor(this.#ask, comment !== ""),
        initialValue: "deny",
        input,
        output: this.#output,
      }),
    );
    const callOff = onScreenFor(this.#output, this.#clock, GRACE_MS, () => {
      this.#situation.deliberate = true;
    });
    try {
      const value = await chosen;
      return isCancel(value) ? "deny" : value;
    } finally {
      callOff();
    }
  }

  /** The comment as edited; null when editing was given up. */
  async #edit(comment: string): Promise<string | null> {
    this.#situation.mode = "commenting";
    const value = await this.#open((input) =>
      text({
        message: "Comment (Enter keeps it, Escape leaves it as it was; neither decides)",
        initialValue: comment,
        input,
        output: this.#output,
      }),
    );
    return isCancel(value) ? null : value.trim();
  }

  async #open<T>(show: (input: PassThrough) => Promise<T>): Promise<T> {
    const input = new PassThrough();
    this.#prompt = input;
    try {
      const shown = show(input);
      if (this.#end !== null) this.#fold();
      return await shown;
    } finally {
      this.#prompt = null;
      input.destroy();
    }
  }

  /** Ctrl-C makes a prompt fold itself up; its own abort would leave it on screen as if it were still open. */
  #fold(): void {
    this.#prompt?.emit("keypress", "\u0003", { name: "c", ctrl: true, sequence: "\u0003" });
  }

  #send(key: Key): void {
    if (key.name === "character")
      this.#prompt?.emit("keypress", key.text, { name: key.text, sequence: key.text });
    else
      this.#prompt?.emit("keypress", undefined, {
        name: key.name === "enter" ? "return" : key.name,
        sequence: "",
      });
  }

  #ended(end: DialogEnd, comment: string): DialogResult {
    if (end.kind === "denied") return this.#answered("deny", end.reason ?? comment);
    if (end.kind === "withdrawn") outro(end.text, { output: this.#output });
    return end;
  }

  #answered(choice: Exclude<ChoiceName, "comment">, comment: string): DialogResult {
    const answer = answerFor(choice, { comment, decidedBy: this.#decidedBy });
    outro(answer.resolution === "Approve" ? "Allowed." : "Denied.", { output: this.#output });
    return { kind: "answer", answer };
  }
}
