import type { Settings } from "../settings.js";

/** A role that was started. */
export interface Member {
  name: string;
  /** Fulfils with its URL, or an empty text, once others can count on it; never where it ends before. */
  up: Promise<string>;
  /** Fulfils once it has ended: whether it did so as it should. */
  ended: Promise<boolean>;
  /** Has it end. Fulfils with `ended`. */
  stop(): Promise<boolean>;
}

export type StartMember = (name: string, settings: Settings) => Member;
