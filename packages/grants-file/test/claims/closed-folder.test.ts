import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { claimPath } from "../../src/claims/claim-names.js";
import { startClaimers } from "../support/claimers.js";
import { publicFolder } from "../support/temporary-folder.js";

/** `nobody` on most systems; any user without rights will do. */
const UNPRIVILEGED = 65_534;

/** A folder that is that user's own, with a file in it that may be the claim of "k". */
function ownFolder() {
  const above = publicFolder();
  const folder = join(above, "claims");
  const file = claimPath(folder, "k");
  mkdirSync(folder);
  writeFileSync(file, "");
  if (process.getuid?.() === 0)
    for (const path of [above, folder, file]) chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  onTestFinished(() => chmodSync(folder, 0o700));
  return { folder, file };
}

/** What a claim of "k" by that user is refused with. */
async function refusalIn(folder: string) {
  const options = { folder, keys: ["k"], ttlMs: 60_000, user: UNPRIVILEGED };
  const { claims, refusals } = await (await startClaimers(1, options)).ended;
  expect(claims).toEqual([]);
  expect(refusals).toHaveLength(1);
  return refusals[0];
}

describe("a claim that may not be read", () => {
  it.each(["000", "600"])("is not told as a file in a folder that may not be entered: %s", async (mode) => {
    const { folder, file } = ownFolder();
    chmodSync(folder, Number.parseInt(mode, 8));
    expect(await refusalIn(folder)).toMatchObject({
      code: "storage",
      message: `cannot claim in ${folder}: EACCES: permission denied, lstat '${file}'`,
    });
  });

  it("is told as a file where it is one", async () => {
    const { folder, file } = ownFolder();
    chmodSync(file, 0);
    expect(await refusalIn(folder)).toMatchObject({
      code: "storage",
      message: expect.stringContaining(`the claim ${file} is a file that this process may not read`),
    });
  });
});
