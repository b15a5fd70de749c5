/** What names a call. */
export interface CallName {
  session_id: string;
  run_id: string;
  turn: number;
  call_id: string;
}

/** The begins of the calls under one name. */
interface Begins {
  written: Promise<void>[];
  /** how many of the calls have not ended */
  open: number;
}

/**
 * The begins of calls that have not ended. A name may stand for several calls: none of their begins is forgotten before
 * they have all ended.
 */
export class OpenBegins {
  readonly #begins = new Map<string, Begins>();

  /** `written` settles as the write of the call's begin does. */
  add(call: CallName, written: Promise<void>): void {
    const key = keyOf(call);
    const begins = this.#begins.get(key) ?? { written: [], open: 0 };
    this.#begins.set(key, begins);
    begins.written.push(written);
    begins.open++;
  }

  end(call: CallName): void {
    const key = keyOf(call);
    const begins = this.#begins.get(key);
    if (begins !== undefined && --begins.open === 0) this.#begins.delete(key);
  }

  /** Resolves once every begin under that name is written, and rejects where one is not; null where there is none. */
  allWritten(call: CallName): Promise<unknown> | null {
    const begins = this.#begins.get(keyOf(call));
    return begins === undefined ? null : Promise.all(begins.written);
  }
}

/** Unlike their JSON, as long as they are: no id is too long for it. */
function keyOf({ session_id, run_id, turn, call_id }: CallName): string {
  return `${session_id.length}:${session_id}:${run_id.length}:${run_id}:${turn}:${call_id}`;
}
