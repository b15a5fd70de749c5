/** What every role is told, whichever process it runs in. */
export interface Settings {
  /** where the tools write, and the ledgers are */
  folder: string;
  /** begins every key of this run, so that runs on one Redis never meet */
  prefix: string;
  /** null: everything is in one process */
  redisUrl: string | null;
  /** signs asks and callbacks: `whsec_` and base64 */
  secret: string;
  /** where the phones take asks; empty until they do */
  phoneUrl: string;
  /** where the phones' answers go; empty until somebody takes them */
  callbackUrl: string;
  /** how long the desk has alone, before the phones ring */
  ringAfterMs: number;
  /** after which an ask that nobody answered has expired */
  deadlineMs: number;
}

type Times = Pick<Settings, "ringAfterMs" | "deadlineMs">;

/** A person needs longer to answer than a script. */
export const AT_TERMINAL: Times = { ringAfterMs: 15_000, deadlineMs: 60_000 };
export const BY_SCRIPT: Times = { ringAfterMs: 500, deadlineMs: 8_000 };
