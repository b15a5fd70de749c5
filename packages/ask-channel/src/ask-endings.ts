import type { AnswerStatus } from "@x/permission-core";

/** An answer that carried an `answerId`; `text` is equal for equal answers. */
export interface RepeatableAnswer {
  readonly answerId: string;
  readonly text: string;
}

/** How an ask ended, as somebody who answers it afterwards is told. */
export interface AskEnding {
  readonly status: Extract<AnswerStatus, "already_answered" | "expired" | "cancelled">;
  readonly argsDigest: string;
  /** The answer that ended it, when it can be repeated. */
  readonly answer?: RepeatableAnswer;
}

/** Remembers the latest endings by ask id, up to `capacity`; the oldest are forgotten first. */
export class AskEndings {
  readonly #capacity: number;
  readonly #endings = new Map<string, AskEnding>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#endings.size;
  }

  get(id: string): AskEnding | undefined {
    return this.#endings.get(id);
  }

  remember(id: string, ending: AskEnding): void {
    this.#endings.delete(id);
    this.#endings.set(id, ending);
    if (this.#endings.size <= this.#capacity) return;
    for (const oldest of this.#endings.keys()) {
      this.#endings.delete(oldest);
      return;
    }
  }
}
