import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readLedger, verifyLedger } from "../../src/ledger/index.js";
import { pre } from "./support/events.js";
import { ledgerRig } from "./support/ledger-rig.js";
import { startWriter } from "./support/writer.js";

const LINE_BYTES = 16 * 1_048_576;
/** A kill that comes as soon as the file is seen to grow falls into the write nearly always. */
const MOST_KILLS = 20;
const LONGEST_WATCH_MS = 10_000;

/** Kills writers of large lines until one leaves a line that was cut off. Gives how many lines were acknowledged. */
async function tearLine(file: string, options: { chain: boolean }): Promise<number> {
  let acknowledged = 0;
  for (let kill = 0; kill < MOST_KILLS; kill++) {
    const writer = await startWriter({ file, ...options });
    const disconnected = once(writer.process, "disconnect");
    writer.process.on("message", () => void acknowledged++);
    writer.process.send({ loop: LINE_BYTES });
    await once(writer.process, "message");
    waitForGrowth(file);
    writer.process.kill("SIGKILL");
    await disconnected;
    await writer.kill();
    if (endsWithinLine(file)) return acknowledged;
  }
  throw new Error(`no kill of ${MOST_KILLS} fell into a write`);
}

/** Looks without a pause: a write takes a few milliseconds. */
function waitForGrowth(file: string): void {
  const before = statSync(file).size;
  const start = performance.now();
  while (statSync(file).size === before) {
    if (performance.now() - start > LONGEST_WATCH_MS) throw new Error("the writer does not write");
  }
}

function endsWithinLine(file: string): boolean {
  return readFileSync(file).at(-1) !== "\n".charCodeAt(0);
}

describe("a writer that is killed in the middle of a line", () => {
  it.each([true, false])(
    "leaves a ledger that says so, goes on, and holds every line that was acknowledged (with a chain: %s)",
    { timeout: 120_000 },
    async (chain) => {
      const { open, file, files, messages, textOf } = ledgerRig({ chain });
      const acknowledged = await tearLine(file, { chain });
      const before = await verifyLedger(file);
      expect(before.ok).toBe(true);
      const last = before.torn.at(-1);
      const ledger = open();
      await ledger.onToolPre({ ...pre, session_id: "after" });
      await ledger.close();
      expect(messages()).toEqual([
        expect.stringMatching(/^warn: .* ends in \d+ bytes of a line that was cut off/),
      ]);
      const after = await verifyLedger(await files());
      expect([after.ok, after.torn.at(-1)]).toEqual([true, last]);
      const texts: string[] = [];
      const types: string[] = [];
      for await (const reading of readLedger(file)) {
        types.push(reading.kind === "line" ? reading.value.type : reading.kind);
        if (reading.kind === "line" && reading.value.type === "tool.call")
          texts.push(reading.value.session_id);
      }
      expect(types.slice(-3)).toEqual(["torn", "ledger.torn", "tool.call"]);
      expect(texts.at(-1)).toBe("after");
      expect(texts.length - 1).toBeGreaterThanOrEqual(acknowledged);
      // What was cut off is still there, and nothing but it was changed.
      const torn = textOf().split("\n")[(last?.line ?? 0) - 1] ?? "";
      expect(torn.slice(0, 24)).toBe('{"v":1,"type":"tool.call');
    },
  );

  it("is told from one that was tampered with: what was cut off cannot be changed either", async () => {
    const { open, file, textOf } = ledgerRig({ chain: true });
    for (const cut of ["", '{"v":1,"type":"tool.call","session']) {
      const ledger = open();
      await ledger.onToolPre(pre);
      await ledger.close();
      writeFileSync(file, cut, { flag: "a" });
    }
    const ledger = open();
    await ledger.onToolPre(pre);
    await ledger.close();
    expect(await verifyLedger(file)).toMatchObject({ ok: true, torn: [{ line: 4 }] });
    writeFileSync(file, textOf().replace('call","session\n', 'call","sessiom\n'));
    expect((await verifyLedger(file)).problems).toMatchObject([{ kind: "malformed", line: 4 }]);
  });

  it("in the very first line leaves a file that begins with what was cut off", async () => {
    const { open, file } = ledgerRig({ chain: true });
    writeFileSync(file, '{"v":1,"type":"ledger.st');
    const ledger = open();
    await ledger.onToolPre(pre);
    await ledger.close();
    expect(await verifyLedger(file)).toMatchObject({ ok: true, torn: [{ line: 1 }], series: [{ lines: 2 }] });
  });

  it("before the end of a line alone leaves a whole line", async () => {
    const { open, file, textOf, messages } = ledgerRig({ chain: true });
    const first = open();
    await first.onToolPre(pre);
    await first.close();
    writeFileSync(file, textOf().slice(0, -1));
    const second = open();
    await second.onToolPre(pre);
    await second.close();
    expect(await verifyLedger(file)).toMatchObject({ ok: true, torn: [], series: [{ lines: 3 }] });
    expect(messages()).toEqual([]);
  });
});
