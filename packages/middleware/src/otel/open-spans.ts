import type { Span } from "@opentelemetry/api";

/** What names a call to an observer. Hosts and model providers may use a name twice. */
export interface CallName {
  session_id: string;
  run_id: string;
  turn: number;
  call_id: string;
}

/** The spans of calls that have not ended, at most `most` of them. */
export class OpenSpans {
  readonly #most: number;
  /** in the order of their begin; of one name, the oldest first */
  readonly #spans = new Map<Span, string>();
  readonly #byName = new Map<string, Span[]>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Gives the oldest of all where it had to make room; nobody ends that one any more. */
  add(call: CallName, span: Span): Span | null {
    const name = nameOf(call);
    this.#spans.set(span, name);
    const named = this.#byName.get(name);
    if (named === undefined) this.#byName.set(name, [span]);
    else named.push(span);
    if (this.#spans.size <= this.#most) return null;
    const [oldest] = this.#spans.keys();
    if (oldest !== undefined) this.#remove(oldest);
    return oldest ?? null;
  }

  /** The oldest of that name. */
  get(call: CallName): Span | undefined {
    return this.#byName.get(nameOf(call))?.[0];
  }

  /** The same, and it is open no more. */
  take(call: CallName): Span | undefined {
    const span = this.get(call);
    if (span !== undefined) this.#remove(span);
    return span;
  }

  #remove(span: Span): void {
    const name = this.#spans.get(span) as string;
    this.#spans.delete(span);
    const rest = this.#byName.get(name)?.filter((other) => other !== span) ?? [];
    if (rest.length > 0) this.#byName.set(name, rest);
    else this.#byName.delete(name);
  }
}

function nameOf({ session_id, run_id, turn, call_id }: CallName): string {
  return JSON.stringify([session_id, run_id, turn, call_id]);
}
