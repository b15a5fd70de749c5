import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import type * as AskChannel from "../src/index.js";
import type * as Terminal from "../src/terminal/index.js";
import { outcomeOf, pendingAsk, wait } from "./support/asks.js";

const require = createRequire(import.meta.url);
const DIST = new URL("../dist/", import.meta.url);
const A = pendingAsk("A");

/** The text of a built file and of all the files of the package that it loads. */
function loadedText(file: string): string {
  const text = readFileSync(new URL(file, DIST), "utf8");
  const chunks = readdirSync(DIST).filter((name) => name.startsWith("chunk-") && text.includes(name));
  return [text, ...chunks.map(loadedText)].join("\n");
}

describe("the built package", () => {
  it("exports these names and no others", async () => {
    const index: typeof AskChannel = await import(new URL("index.js", DIST).href);
    const terminal: typeof Terminal = await import(new URL("terminal.js", DIST).href);
    expect(Object.keys(index).toSorted()).toEqual([
      "ApprovalChannel",
      "SyncAskResolver",
      "escalate",
      "fallback",
      "firstAnswer",
      "quorum",
      "route",
      "withDeadline",
    ]);
    expect(Object.keys(terminal)).toEqual(["terminalAskResolver"]);
  });

  it.each(["index.js", "index.cjs"])("needs nothing of Node in %s", (file) => {
    const imported = [...loadedText(file).matchAll(/(?:from |require\()['"]([^'"]+)['"]/g)].map(
      ([, name]) => name,
    );
    expect(new Set(imported.filter((name) => !name?.startsWith("./")))).toEqual(
      new Set(["@x/permission-core"]),
    );
  });

  it("works as CommonJS, terminal included, with errors that the other copy knows", async () => {
    const { ApprovalChannel } = require("@x/ask-channel") as typeof AskChannel;
    const { terminalAskResolver } = require("@x/ask-channel/terminal") as typeof Terminal;
    const { resolver, approver } = ApprovalChannel.pair(1);
    const waiting = wait();
    const answer = resolver.resolve(A, waiting.context);
    waiting.expire();
    expect(await approver.answer(A, "Approve")).toBe("expired");
    expect(await outcomeOf(answer)).toEqual({ code: "ask_expired" });
    const context = { ...wait().context, isNonInteractive: true };
    expect(await outcomeOf(terminalAskResolver().resolve(A, context))).toEqual({ code: "ask_unavailable" });
  });
});
