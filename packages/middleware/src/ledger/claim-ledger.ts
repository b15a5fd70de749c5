import { dirname } from "node:path";
import { type Claim, claimFile } from "./claim.js";
import { fileOfWriter } from "./ledger-names.js";
import { ledgerTarget } from "./ledger-target.js";
import { makePrivateFolder } from "./private-file.js";

const MOST_WRITERS = 1_000;

/**
 * Claims the ledger `asked`, or where others write that, the first of `ledger.w2.jsonl`, `ledger.w3.jsonl` … that is free.
 * The folder is made where it is missing.
 */
export async function claimLedger(asked: string): Promise<{ file: string; claim: Claim }> {
  const target = await ledgerTarget(asked);
  await makePrivateFolder(dirname(target));
  for (let writer = 1; writer <= MOST_WRITERS; writer++) {
    const file = await ledgerTarget(fileOfWriter(target, writer));
    const claim = await claimFile(file);
    if (claim !== null) return { file, claim };
  }
  throw new Error(`${MOST_WRITERS} others write this ledger: ${target}`);
}
