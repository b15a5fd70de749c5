import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPermissionGateError, type JsonValue, type ReportEvent } from "@x/permission-core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failure, success, type ToolDispatchResult } from "../../src/dispatch-result.js";
import type { EngineObserver, ToolPreEvent } from "../../src/engine/observer.js";
import { JsonlLedger, type JsonlLedgerOptions } from "../../src/ledger/index.js";
import { gate, post, pre } from "./support/events.js";

let folder: string;
let file: string;
let reports: ReportEvent[];
const umask = process.umask();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ledger-"));
  file = join(folder, "calls.jsonl");
  reports = [];
});
afterEach(async () => {
  process.umask(umask);
  await rm(folder, { recursive: true, force: true });
});

function ledgerOf(options: Partial<JsonlLedgerOptions> = {}): JsonlLedger {
  return new JsonlLedger({ file, onReport: (event) => reports.push(event), ...options });
}

const textOf = () => readFile(file, "utf8");
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

async function linesOf(): Promise<unknown[]> {
  const text = await textOf();
  expect(text.endsWith("\n")).toBe(true);
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** One call through an observer, as an engine drives it. */
function observe(
  observer: EngineObserver,
  input?: unknown,
  result: ToolDispatchResult | null = success("c", null, 5),
): void {
  observer.onToolPre?.(pre, { input: input as JsonValue });
  observer.onGateDecision?.(gate);
  observer.onToolPost?.(post, { result });
}

describe("what a ledger holds", () => {
  it("is a line for the call, its decision and its result, in the order of events", async () => {
    const ledger = ledgerOf();
    observe(ledger);
    await ledger.flush();
    expect(await linesOf()).toEqual([
      { v: 1, type: "tool.call", ...pre },
      { v: 1, type: "gate.decision", ...gate },
      { v: 1, type: "tool.result", ...post },
    ]);
    expect(reports).toEqual([]);
  });

  it("is neither arguments nor outputs, unless asked for", async () => {
    const ledger = ledgerOf();
    observe(ledger, { password: "hunter2" }, success("c", "token-1234", 5));
    await ledger.flush();
    expect(await textOf()).not.toMatch(/hunter2|token-1234/);
  });

  it.each<[string, JsonValue]>([
    ["a list", [1]],
    ["null", null],
    ["a text", "x"],
    ["an object, its members in their order", { b: 1, a: [true] }],
    ["a member called __proto__", JSON.parse('{"__proto__":{"a":1}}')],
  ])("CASE-199: records an input that is %s as it is", async (_, input) => {
    const ledger = ledgerOf({ includeInput: true });
    observe(ledger, input, success("c", input, 5));
    await ledger.flush();
    const [call, , result] = await linesOf();
    expect(JSON.stringify((call as { input: JsonValue }).input)).toBe(JSON.stringify(input));
    expect(JSON.stringify((result as { output: JsonValue }).output)).toBe(JSON.stringify(input));
    expect(call).not.toHaveProperty("input_not_json");
    expect(result).not.toHaveProperty("output_not_json");
    expect(await modeOf(file)).toBe(0o600);
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const throws = () => {
    throw new Error("not for reading");
  };
  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["a bigint", 1n],
    ["a cycle", cycle],
    ["a date", new Date(0)],
    ["a lone surrogate", "\ud800"],
    ["an object whose getter throws", Object.defineProperty({}, "a", { enumerable: true, get: throws })],
    ["an object with a toJSON of its own", { toJSON: () => "forged" }],
  ])("marks a value that is no JSON, and never throws: %s", async (_, value) => {
    const ledger = ledgerOf({ includeInput: true });
    observe(ledger, value, { ...success("c", null, 5), output: value as JsonValue });
    await ledger.flush();
    const [call, , result] = await linesOf();
    expect(call).toMatchObject({ input: null, input_not_json: true });
    expect(result).toMatchObject({ output: null, output_not_json: true });
  });

  it("is the text that the model read, where a call failed, and no output where it was cancelled", async () => {
    const ledger = ledgerOf({ includeInput: true });
    ledger.onToolPost(
      { ...post, outcome: "denied" },
      { result: failure("c", "permission", "Permission denied") },
    );
    ledger.onToolPost({ ...post, outcome: "cancelled" }, { result: null });
    await ledger.flush();
    const [denied, cancelled] = await linesOf();
    expect(denied).toMatchObject({ outcome: "denied", output: "Permission denied" });
    expect(cancelled).not.toHaveProperty("output");
  });

  it("is each event as it was, whatever is changed afterwards", async () => {
    const ledger = ledgerOf({ includeInput: true });
    const input = { list: [1] };
    ledger.onToolPre(pre, { input });
    input.list.push(2);
    await ledger.flush();
    expect(await linesOf()).toMatchObject([{ input: { list: [1] } }]);
  });

  it("has one line for one event, whatever characters its fields hold", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string({ unit: "binary" }),
            fc.constantFrom("\n", "\r\n", "\u2028", "\u0085", "\u001b[2J", "\0", "\u007f"),
          ),
        ),
        async (names) => {
          await rm(file, { force: true });
          const ledger = ledgerOf({ includeInput: true });
          for (const name of names) ledger.onToolPre({ ...pre, tool: name }, { input: name });
          await ledger.close();
          if (names.length === 0) return;
          const text = await textOf();
          expect(text).not.toMatch(/[^\n\u0020-\u007e\u00a0-\u2027\u202a-\uffff]/);
          expect((await linesOf()).map((line) => (line as ToolPreEvent).tool)).toEqual(names);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("the file of a ledger", () => {
  it.each([0o000, 0o022, 0o077, 0o277, 0o777])(
    "is 0600 in folders that are 0700, under the umask %o",
    async (mask) => {
      process.umask(mask);
      file = join(folder, "a", "b", "calls.jsonl");
      const ledger = ledgerOf();
      observe(ledger);
      await ledger.flush();
      expect([
        await modeOf(join(folder, "a")),
        await modeOf(join(folder, "a", "b")),
        await modeOf(file),
      ]).toEqual([0o700, 0o700, 0o600]);
    },
  );

  it("is tightened where it was open to others, and its folder is left as it was", async () => {
    await writeFile(file, '{"v":1}\n');
    await chmod(file, 0o664);
    await chmod(folder, 0o755);
    const ledger = ledgerOf();
    ledger.onGateDecision(gate);
    await ledger.flush();
    expect(await modeOf(file)).toBe(0o600);
    expect(await modeOf(folder)).toBe(0o755);
    expect(await linesOf()).toHaveLength(2);
  });

  it("is not made before there is something to write", async () => {
    const ledger = ledgerOf();
    await ledger.close();
    await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("goes on where it ended", async () => {
    for (const event of [pre, { ...pre, call_id: "d" }]) {
      const ledger = ledgerOf();
      ledger.onToolPre(event);
      await ledger.close();
    }
    expect(await linesOf()).toMatchObject([{ call_id: "c" }, { call_id: "d" }]);
  });

  it("begins anew where the old one was moved away", async () => {
    const ledger = ledgerOf();
    await ledger.onToolPre(pre);
    await rename(file, `${file}.1`);
    await ledger.onToolPost(post);
    expect(await linesOf()).toMatchObject([{ type: "tool.result" }]);
    expect(await modeOf(file)).toBe(0o600);
  });

  it("is the one that a link leads to", async () => {
    const target = join(folder, "elsewhere.jsonl");
    await symlink(target, file);
    const ledger = ledgerOf();
    await ledger.onToolPre(pre);
    expect(await readFile(target, "utf8")).toMatch(/tool\.call/);
    expect(await modeOf(target)).toBe(0o600);
  });

  it("is taken from where the process stood when the ledger was made", async () => {
    const stood = process.cwd();
    process.chdir(folder);
    const ledger = ledgerOf({ file: "relative.jsonl" });
    process.chdir(stood);
    await ledger.onToolPre(pre);
    expect(await readFile(join(folder, "relative.jsonl"), "utf8")).toMatch(/tool\.call/);
  });
});

describe("a write that fails", () => {
  const strays: unknown[] = [];
  const collect = (reason: unknown) => strays.push(reason);
  afterEach(() => process.off("unhandledRejection", collect));

  it("is reported once and rejects all who wait; the next event tries again", async () => {
    await mkdir(file);
    const ledger = ledgerOf();
    const waiting = [ledger.onToolPre(pre), ledger.onGateDecision(gate), ledger.flush()];
    for (const outcome of await Promise.allSettled(waiting)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "storage" } });
    }
    expect(reports).toEqual([
      {
        level: "error",
        message: expect.stringMatching(/2 line\(s\) lost/),
        cause: expect.objectContaining({ message: expect.stringMatching(/^not a regular file/) }),
      },
    ]);
    await rm(file, { recursive: true });
    await ledger.onToolPost(post);
    await ledger.close();
    expect(await linesOf()).toMatchObject([{ type: "ledger.lost", lines: 2 }, { type: "tool.result" }]);
    expect(reports.slice(1)).toEqual([
      { level: "warn", message: expect.stringMatching(/written again; 2 line\(s\) were lost/) },
    ]);
  });

  it("is nobody's crash where nobody waits", async () => {
    process.on("unhandledRejection", collect);
    await writeFile(join(folder, "plain"), "");
    const ledger = ledgerOf({ file: join(folder, "plain", "calls.jsonl") });
    observe(ledger);
    await ledger.close().catch(() => {});
    ledger.onToolPre(pre);
    await new Promise(setImmediate);
    expect(strays).toEqual([]);
    expect(reports.map(({ level }) => level)).toEqual(["error", "error"]);
  });

  it("is reported once, however long it fails", async () => {
    await mkdir(file);
    const ledger = ledgerOf();
    for (let round = 0; round < 3; round++) await ledger.onToolPre(pre).catch(() => {});
    expect(reports).toHaveLength(1);
  });

  it("is what a device or a pipe brings: only regular files are written, and their modes changed", async () => {
    const before = await modeOf("/dev/null");
    const ledger = ledgerOf({ file: "/dev/null" });
    await expect(ledger.onToolPre(pre)).rejects.toSatisfy((error) => isPermissionGateError(error, "storage"));
    expect(await modeOf("/dev/null")).toBe(before);
  });
});

describe("closing a ledger", () => {
  it("writes what waits, and is done when it is written", async () => {
    const ledger = ledgerOf();
    observe(ledger);
    await ledger.close();
    expect(await linesOf()).toHaveLength(3);
    await ledger.close();
  });

  it("happens at the end of an `await using` block's work through Symbol.asyncDispose", async () => {
    const ledger = ledgerOf();
    observe(ledger);
    await ledger[Symbol.asyncDispose]();
    expect(await linesOf()).toHaveLength(3);
  });

  it("refuses and reports what comes later", async () => {
    const ledger = ledgerOf();
    await ledger.close();
    await expect(ledger.onToolPre(pre)).rejects.toSatisfy((error) => isPermissionGateError(error, "closed"));
    expect(reports).toEqual([{ level: "error", message: expect.stringContaining("tool.call") }]);
  });
});

describe("the options of a ledger", () => {
  it.each<[string, unknown]>([
    ["an empty path", { file: "" }],
    ["no path", {}],
    ["a path with a NUL", { file: "a\0b" }],
    ["includeInput that is no boolean", { file: "x", includeInput: "yes" }],
    ["onReport that is no function", { file: "x", onReport: 1 }],
    ["chain that is no boolean", { file: "x", chain: 1 }],
    ["auditRequired that is no boolean", { file: "x", auditRequired: "no" }],
    ["maxBytes of 0", { file: "x", maxBytes: 0 }],
    ["maxAgeMs that is no number", { file: "x", maxAgeMs: Number.NaN }],
    ["maxPendingBytes below 0", { file: "x", maxPendingBytes: -1 }],
    ["sync of another name", { file: "x", sync: "always" }],
    ["redact that is no function", { file: "x", redact: /secret/ }],
  ])("are refused: %s", (_, options) => {
    expect(() => new JsonlLedger(options as JsonlLedgerOptions)).toThrow(
      expect.toSatisfy((error) => isPermissionGateError(error, "invalid_option")),
    );
  });
});
