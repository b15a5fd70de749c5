import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { confirmTools, PermissionMiddleware } from "../../src/index.js";
import { JsonlLedger } from "../../src/ledger/index.js";
import { callOf, engineFor, type Setup, toolOf } from "../support/engine-harness.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "permission-gate-"));
});
afterEach(() => rm(folder, { recursive: true }));

const KINDS = ["tool.call", "gate.decision", "tool.result"];

/** An engine that writes its ledger, and what stands in it of calls once the engine is closed. */
function ledgered(setup: Setup & { includeInput?: boolean }) {
  const { includeInput = false, ...more } = setup;
  const file = join(folder, includeInput ? "full.jsonl" : "plain.jsonl");
  const harness = engineFor({ ...more, observers: [new JsonlLedger({ file, includeInput })] });
  const lines = async (): Promise<{ [field: string]: unknown }[]> => {
    await harness.engine.close();
    const text = await readFile(file, "utf8");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
      .filter(({ type }) => KINDS.includes(type));
  };
  return { file, lines, ...harness };
}

const asked: Setup = {
  hooks: [confirmTools(["deploy"])],
  askResolver: { interactive: false, resolve: () => ({ resolution: "Approve", decided_by: "ana" }) },
  layers: [PermissionMiddleware.allowAll()],
};

it("holds a line for the call, its decision and its result once the engine is closed", async () => {
  const { engine, lines, file } = ledgered(asked);
  const { gate } = await engine.dispatch(callOf());
  const written = await lines();
  expect(written.map(({ type }) => type)).toEqual(KINDS);
  expect(written[1]).toMatchObject({ decision: gate, decided_by: "ana", call_id: "c1" });
  expect(written[2]).toMatchObject({ outcome: "completed" });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it("holds no line of a decision where nothing gated", async () => {
  const { engine, lines } = ledgered({});
  await engine.dispatch(callOf());
  expect((await lines()).map(({ type }) => type)).toEqual(["tool.call", "tool.result"]);
});

it("holds neither arguments nor outputs unless they were asked for", async () => {
  const secrets: Setup = { ...asked, tools: [toolOf("deploy", () => {}, "token hunter2")] };
  const plain = ledgered(secrets);
  await plain.engine.dispatch(callOf({ input: { password: "hunter2" } }));
  expect(await plain.lines()).toHaveLength(3);
  expect(await readFile(plain.file, "utf8")).not.toContain("hunter2");

  const full = ledgered({ ...secrets, includeInput: true });
  await full.engine.dispatch(callOf({ input: { password: "hunter2" } }));
  const [call, , result] = await full.lines();
  expect(call).toMatchObject({ input: { password: "hunter2" } });
  expect(result).toMatchObject({ output: "token hunter2" });
});

it("[CASE-199] records arguments that are no object as they are, for its owner's eyes only", async () => {
  const { engine, lines, file, inputs } = ledgered({ ...asked, includeInput: true });
  for (const input of [[1], null, "x"]) await engine.dispatch(callOf({ input }));
  const calls = (await lines()).filter(({ type }) => type === "tool.call");
  expect(calls.map(({ input }) => input)).toEqual([[1], null, "x"]);
  expect(inputs).toEqual([[1], null, "x"]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it("says of input and output that JSON cannot hold that it cannot, and loses no line", async () => {
  const { engine, lines } = ledgered({
    includeInput: true,
    tools: [toolOf("deploy", () => {}, { at: new Date(0) })],
  });
  await engine.dispatch(callOf({ input: { n: 1n } } as Parameters<typeof callOf>[0]));
  await engine.dispatch(callOf());
  const written = await lines();
  expect(written.map(({ type }) => type)).toEqual([
    "tool.call",
    "gate.decision",
    "tool.result",
    "tool.call",
    "tool.result",
  ]);
  expect(written[0]).toMatchObject({ args_digest: "", input: null, input_not_json: true });
  expect(written[4]).toMatchObject({ output: null, output_not_json: true });
});

it("lets calls go on when the ledger cannot be written, and reports it", async () => {
  const reports: string[] = [];
  const onReport = ({ message }: { message: string }) => void reports.push(message);
  const ledger = new JsonlLedger({ file: folder, onReport });
  const { engine, errors } = engineFor({ observers: [ledger] });
  expect((await engine.dispatch(callOf())).output).toBe("deployed");
  await engine.close();
  expect(reports.length).toBeGreaterThan(0);
  expect(errors()).toEqual(Array(2).fill("An observer of the engine failed."));
});
