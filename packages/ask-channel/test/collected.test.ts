import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("fixtures/collected-approver.mjs", import.meta.url));

/** Runs one story of the program in a process of its own, over the built package. */
async function story(name: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", PROGRAM, name], {
    timeout: 15_000,
  });
  return JSON.parse(stdout);
}

const report = (denied: number) =>
  `approver garbage-collected without close(): ${denied} waiting asks denied, and all that come will be`;

describe("garbage collection", () => {
  it("of the approver denies all that wait and all that come, reported with the number", async () => {
    expect(await story("waiting")).toEqual({
      answers: ["Deny", "Deny"],
      later: "Deny",
      messages: [report(2)],
    });
  });

  it("of the approver is reported also when nobody waited", async () => {
    expect(await story("idle")).toEqual({ answers: [], later: "Deny", messages: [report(0)] });
  });

  it("of both sides and the signal still ends a wait", async () => {
    expect(await story("everything forgotten")).toEqual({ answers: ["Deny"], messages: [report(1)] });
  });

  it("does not touch an approver that somebody reads in a loop", async () => {
    expect(await story("still reading")).toEqual({ answers: ["Approve"], messages: [] });
  });

  it("of the resolver ends the stream", async () => {
    expect(await story("resolver forgotten")).toEqual({ ended: true });
  });
});
