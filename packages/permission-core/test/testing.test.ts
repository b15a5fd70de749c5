import { describe, expect, it, vi } from "vitest";
import type { PendingAsk } from "../src/ask.js";
import { ManualClock, memoryWorkspace, scriptedResolver, sequentialIds } from "../src/testing.js";

describe("ManualClock", () => {
  it("stands still until it is told to go", () => {
    const clock = new ManualClock(1000);
    expect(clock.now()).toBe(1000);
    clock.advance(5);
    expect(clock.now()).toBe(1005);
    expect(new ManualClock().now()).toBe(1_700_000_000_000);
  });

  it("runs due timers in order of their time, then of their creation, each at its own time", () => {
    const clock = new ManualClock(0);
    const ran: [string, number][] = [];
    const run = (name: string) => () => void ran.push([name, clock.now()]);
    clock.setTimer(run("late"), 20);
    clock.setTimer(run("early"), 10);
    clock.setTimer(run("early too"), 10);
    clock.setTimer(run("beyond"), 31);
    clock.setTimer(() => clock.setTimer(run("nested"), 5), 20);
    clock.advance(30);
    expect(ran).toEqual([
      ["early", 10],
      ["early too", 10],
      ["late", 20],
      ["nested", 25],
    ]);
    expect(clock.now()).toBe(30);
    expect(clock.timerCount).toBe(1);
  });

  it("forgets cancelled timers, also one cancelled by another of the same moment", () => {
    const clock = new ManualClock();
    const never = vi.fn();
    clock.setTimer(() => second.cancel(), 10);
    const second = clock.setTimer(never, 10);
    clock.setTimer(never, 2 ** 40).cancel();
    expect(clock.timerCount).toBe(2);
    clock.advance(2 ** 41);
    expect(never).not.toHaveBeenCalled();
    expect(clock.timerCount).toBe(0);
  });

  it("jumps without running or moving timers", () => {
    const clock = new ManualClock(1000);
    const callback = vi.fn();
    clock.setTimer(callback, 100);
    clock.set(1_000_000);
    expect([clock.now(), callback.mock.calls.length]).toEqual([1_000_000, 0]);
    clock.set(0);
    clock.advance(99);
    expect([clock.now(), callback.mock.calls.length]).toEqual([99, 0]);
    clock.advance(1);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it("runs a timer of no or negative delay at the next advance, one of an infinite delay never", () => {
    const clock = new ManualClock();
    const [soon, never] = [vi.fn(), vi.fn()];
    for (const delayMs of [0, -5, Number.NaN]) clock.setTimer(soon, delayMs);
    clock.setTimer(never, Number.POSITIVE_INFINITY);
    clock.advance(0);
    expect(soon).toHaveBeenCalledTimes(3);
    clock.advance(2 ** 50);
    expect(never).not.toHaveBeenCalled();
  });
});

describe("sequentialIds", () => {
  it("gives the same valid UUIDs at every run", () => {
    const ids = sequentialIds();
    expect([ids.uuid(), ids.uuid()]).toEqual([
      "00000000-0000-4000-8000-000000000001",
      "00000000-0000-4000-8000-000000000002",
    ]);
    expect(sequentialIds("a5").uuid()).toBe("a5000000-0000-4000-8000-000000000001");
  });

  it("tells sources of different prefixes apart", () => {
    const seen = ["", "ask", "run", "session", "0a", "😀"].map((prefix) => sequentialIds(prefix).uuid());
    expect(new Set(seen).size).toBe(seen.length);
    for (const id of seen)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe("scriptedResolver", () => {
  const ask: PendingAsk = {
    id: "a",
    session_id: "s",
    run_id: "r",
    turn: 0,
    call_id: "c",
    tool: "t",
    args_digest: "",
    prompt: "?",
    rememberable: ["this_call"],
  };
  const context = { signal: new AbortController().signal, isNonInteractive: false };

  it("answers by its script, then has nobody to ask", async () => {
    const resolver = scriptedResolver([
      "Approve",
      { resolution: "Deny", reason: "no" },
      (ask) => ({ resolution: "Deny", ask_id: ask.id }),
    ]);
    expect(await resolver.resolve(ask, context)).toBe("Approve");
    expect(await resolver.resolve(ask, context)).toEqual({ resolution: "Deny", reason: "no" });
    expect(await resolver.resolve(ask, context)).toEqual({ resolution: "Deny", ask_id: "a" });
    await expect(resolver.resolve(ask, context)).rejects.toMatchObject({ code: "ask_unavailable" });
    expect(resolver.asks).toHaveLength(4);
  });

  it("records asks as they were, and how their calls ended", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const passing = structuredClone(ask);
    await resolver.resolve(passing, context);
    await resolver.settled?.(passing, "completed");
    passing.rememberable?.push("session");
    expect(resolver.asks).toEqual([ask]);
    expect(resolver.outcomes).toEqual([{ ask, outcome: "completed" }]);
  });

  it("is not interactive unless told so", () => {
    expect(scriptedResolver([]).interactive).toBe(false);
    expect(scriptedResolver([], { interactive: true }).interactive).toBe(true);
  });

  it("rejects with what a function throws, and may never answer", async () => {
    const resolver = scriptedResolver([
      () => {
        throw new Error("boo");
      },
      "never",
    ]);
    await expect(resolver.resolve(ask, context)).rejects.toThrow("boo");
    const never = resolver.resolve(ask, { ...context, signal: AbortSignal.abort() });
    expect(await Promise.race([never, new Promise((resolve) => setImmediate(resolve, "waiting"))])).toBe(
      "waiting",
    );
  });
});

describe("memoryWorkspace", () => {
  const workspace = memoryWorkspace({
    "/w/src/a.ts": "text",
    "/w/empty": { folder: true },
    "/w/link": { link: "/etc" },
    "/w/up": { link: "src/../src" },
    "/w/gone": { link: "/nowhere" },
    "/w/via": { link: "gone" },
    "/w/loop": { link: "loop" },
    "/w/ping": { link: "/w/pong" },
    "/w/pong": { link: "/w/ping" },
    "/etc/passwd": "root",
  });

  it.each([
    ["/w", "/w"],
    ["/", "/"],
    ["/w/./src//a.ts", "/w/src/a.ts"],
    ["src/a.ts", "/w/src/a.ts"],
    ["", "/w"],
    ["/w/empty/", "/w/empty"],
    ["/w/link", "/etc"],
    ["/w/link/passwd", "/etc/passwd"],
    ["/w/link/..", "/"],
    ["/w/up/a.ts", "/w/src/a.ts"],
    ["/../../etc", "/etc"],
  ])("resolves %j to %s", (path, real) => {
    expect(workspace.realPath(path)).toBe(real);
  });

  it.each(["/w/none", "/w/src/A.ts", "/w/src/a.ts/x", "/w/src/a.ts/..", "/w/none/.."])(
    "finds nothing at %s",
    (path) => {
      expect(workspace.realPath(path)).toBeNull();
      expect(workspace.readText(path)).toBeNull();
    },
  );

  it.each(["/w/gone", "/w/gone/x", "/w/via/x"])("throws on the link that leads nowhere at %s", (path) => {
    expect(() => workspace.realPath(path)).toThrow(expect.objectContaining({ code: "storage" }));
    expect(() => workspace.readText(path)).toThrow(expect.objectContaining({ code: "storage" }));
  });

  it.each(["/w/link/none", "/w/link/none/x", "/w/up/none"])(
    "finds nothing behind a link that leads somewhere: %s",
    (path) => {
      expect(workspace.realPath(path)).toBeNull();
    },
  );

  it.each(["/w/loop", "/w/ping", "/w/ping/x"])("throws on the loop at %s", (path) => {
    expect(() => workspace.realPath(path)).toThrow(expect.objectContaining({ code: "storage" }));
    expect(() => workspace.readText(path)).toThrow(expect.objectContaining({ code: "storage" }));
  });

  it("reads text with a stamp that changes with it, and shows later changes", () => {
    const files: { [path: string]: string } = { "/w/a": "one" };
    const { readText } = memoryWorkspace(files);
    const before = readText("/w/a");
    expect(before?.text).toBe("one");
    expect(readText("/w/a")).toEqual(before);
    files["/w/a"] = "two";
    expect(readText("/w/a")?.stamp).not.toBe(before?.stamp);
    expect(() => readText("/w")).toThrow(expect.objectContaining({ code: "storage" }));
  });

  it("knows drives, both slashes and any case on win32", () => {
    const windows = memoryWorkspace({ "C:\\w\\Src\\a.ts": "text", "D:/data/x": "y" }, { platform: "win32" });
    expect(windows).toMatchObject({ root: "C:\\w", platform: "win32", caseInsensitive: true });
    expect(windows.realPath("c:/W/src\\A.TS")).toBe("C:\\w\\Src\\a.ts");
    expect(windows.realPath("src")).toBe("C:\\w\\Src");
    expect(windows.realPath("C:\\..\\..\\w")).toBe("C:\\w");
    expect(windows.realPath("D:\\")).toBe("D:\\");
    expect(windows.realPath("E:\\")).toBeNull();
  });

  it("has the home and the case rule it is given", () => {
    expect(memoryWorkspace({}, { home: "/home/me" }).home).toBe("/home/me");
    expect("home" in memoryWorkspace({})).toBe(false);
    const mac = memoryWorkspace({ "/w/README": "x" }, { caseInsensitive: true });
    expect(mac.realPath("/W/readme")).toBe("/w/README");
  });
});
