/** Mints identifiers. */
export interface IdSource {
  /** A fresh UUID, lower case, 36 characters. */
  uuid(): string;
}

/** The id where there is no session, run or ask to name. */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";

/** Random (version 4) UUIDs from Web Crypto. */
export const randomIds: IdSource = { uuid: () => globalThis.crypto.randomUUID() };
