/** What names a call to the ledger's hook, which is not told the run. */
interface CallName {
  session_id: string;
  turn: number;
  call_id: string;
}

/** The begins of one run under one name. */
interface RunBegins {
  written: Promise<void>[];
  /** how many of the calls have not ended */
  open: number;
}

/**
 * The begins of calls that have not ended. A name may stand for several calls, of two runs of a session or of one: none of
 * their begins is forgotten before the calls of its run under that name have all ended.
 */
export class OpenBegins {
  /** by name, then by run */
  readonly #begins = new Map<string, Map<string, RunBegins>>();

  /** `written` settles as the write of the call's begin does. */
  add(call: CallName & { run_id: string }, written: Promise<void>): void {
    const key = keyOf(call);
    const runs = this.#begins.get(key) ?? new Map<string, RunBegins>();
    this.#begins.set(key, runs);
    const begins = runs.get(call.run_id) ?? { written: [], open: 0 };
    runs.set(call.run_id, begins);
    begins.written.push(written);
    begins.open++;
  }

  end(call: CallName & { run_id: string }): void {
    const key = keyOf(call);
    const runs = this.#begins.get(key);
    const begins = runs?.get(call.run_id);
    if (runs === undefined || begins === undefined || --begins.open > 0) return;
    runs.delete(call.run_id);
    if (runs.size === 0) this.#begins.delete(key);
  }

  /** Resolves once every begin under that name is written, and rejects where one is not; null where there is none. */
  allWritten(call: CallName): Promise<unknown> | null {
    const runs = this.#begins.get(keyOf(call));
    if (runs === undefined) return null;
    return Promise.all(Array.from(runs.values(), ({ written }) => written).flat());
  }
}

/** Unlike their JSON, as long as they are: no id is too long for it. */
function keyOf({ session_id, turn, call_id }: CallName): string {
  return `${session_id.length}:${session_id}:${turn}:${call_id}`;
}
