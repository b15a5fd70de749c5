import { type LookupAddress, type LookupOptions, lookup } from "node:dns";

/** All addresses that the system knows for a name. */
export function systemLookup(
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
): void {
  lookup(hostname, { ...options, all: true }, callback);
}
