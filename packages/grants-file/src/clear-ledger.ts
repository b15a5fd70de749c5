import { dirname } from "node:path";
import type { Host } from "./host.js";
import { LedgerSnapshot } from "./ledger-snapshot.js";
import { findLedgerTarget } from "./ledger-target.js";
import { syncFolder } from "./private-folder.js";
import { renamePatiently, replaceFile } from "./replace-file.js";
import { systemCode } from "./storage-error.js";

/**
 * Removes the file and keeps its folder. Where the name is a symbolic link, the link stays and its file is emptied to `[]`.
 * The change lasts through a power failure once the folder is synced, which is left to the caller.
 */
export async function removeLedger(ledgerPath: string, host: Host): Promise<void> {
  const target = await findLedgerTarget(ledgerPath, host.files);
  if (target.kind === "missing") return;
  if (target.kind === "linked") return replaceFile(target.path, LedgerSnapshot.empty.bytes, host);
  await host.files.unlink(ledgerPath);
}

/**
 * Keeps a ledger that does not parse as `<name>.damaged-<Unix ms>` in the same folder, and clears the name. Of a linked
 * ledger a private copy is kept, so that the link leads to a file at every moment. As for syncing, see `removeLedger`.
 */
export async function setLedgerAside(ledgerPath: string, host: Host): Promise<void> {
  const { files } = host;
  const aside = await freeName(ledgerPath, host);
  const target = await findLedgerTarget(ledgerPath, files);
  if (target.kind === "linked") {
    const handle = await files.open(target.path, "r");
    try {
      await replaceFile(aside, await handle.readFile(), host);
    } finally {
      await handle.close();
    }
    // The copy must last before the original goes.
    await syncFolder(dirname(aside), files);
    return removeLedger(ledgerPath, host);
  }
  await renamePatiently(ledgerPath, aside, host);
}

async function freeName(ledgerPath: string, { files, clock }: Host): Promise<string> {
  for (let time = clock.now(); ; time += 1) {
    const name = `${ledgerPath}.damaged-${time}`;
    try {
      await files.lstat(name);
    } catch (error) {
      if (systemCode(error) === "ENOENT") return name;
      throw error;
    }
  }
}
