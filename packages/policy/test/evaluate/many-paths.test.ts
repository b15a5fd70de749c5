import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { WorkspaceReader } from "@x/permission-core";
import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { nodeWorkspace } from "../../src/config/node-workspace.js";
import { evaluateRules } from "../../src/index.js";
import { temporaryFolder } from "../config/support/temporary-folder.js";
import { allow, decideBash, deny, pathEffect } from "./rule-samples.js";

/** Generous, since machines that run tests are busy; every rule's links followed for every path take a minute or more. */
const AT_ONCE_MS = 6_000;

function elapsedMs(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function counted(workspace: WorkspaceReader): { workspace: WorkspaceReader; lookUps: () => number } {
  let lookUps = 0;
  const realPath = (path: string) => {
    lookUps += 1;
    return workspace.realPath(path);
  };
  return { workspace: { ...workspace, realPath }, lookUps: () => lookUps };
}

const words = (count: number) => Array.from({ length: count }, (_, index) => index.toString(36));

describe("many rules and many paths", () => {
  it.each([
    ["a reader", "cat", "secret/f@/**"],
    ["what removes whole folders", "rm -r", "secret/f@/**"],
    ["patterns that begin anywhere", "cat", "**/f@.key"],
  ])("of %s are judged at once", (_, program, pattern) => {
    const workspace = nodeWorkspace(temporaryFolder({ "0": "", "secret/f999/k": "" }));
    const denies = words(1_000).map((__, index) => deny(`Read(${pattern.replace("@", String(index))})`));
    const removes = denies.map((rule) => ({ ...rule, tool: "Remove" }));
    const rules = [allow("Bash"), allow("Remove"), ...denies, ...removes];
    const spent = elapsedMs(() => {
      const { effect } = decideBash(rules, `${program} ${words(1_900).join(" ")}`, { workspace });
      expect(effect).toBe("allow");
    });
    expect(spent).toBeLessThan(AT_ONCE_MS);
    expect(
      decideBash(rules, `${program} ${words(9).join(" ")} secret/f999/f999.key`, { workspace }).effect,
    ).toBe("deny");
  });

  it("of whole folders are judged at once", () => {
    const workspace = nodeWorkspace(temporaryFolder({ "secret/f2999/k": "" }));
    const denies = Array.from({ length: 3_000 }, (_, index) => deny(`Read(secret/f${index}/**)`));
    const rules = [allow("Bash"), allow("Grep"), ...denies];
    const folders = words(1_400);
    const grep = `grep -r x ${folders.join(" ")}`;
    const decisions: unknown[] = [];
    const spent = elapsedMs(() => {
      for (const options of [{ workspace }, {}]) decisions.push(decideBash(rules, grep, options).effect);
      const call = { tool: "Grep", input: { path: folders } };
      decisions.push(evaluateRules({ rules, workspace, call }).effect);
    });
    expect(decisions).toEqual(["allow", "allow", "allow"]);
    expect(spent).toBeLessThan(2 * AT_ONCE_MS);
    for (const options of [{ workspace }, {}]) {
      expect(decideBash(rules, `${grep} secret`, options)).toMatchObject({
        effect: "ask",
        configuredAsk: true,
        reason: expect.stringContaining("secret/f0/**"),
      });
    }
  });

  it("of a search are asked about where they are more than anybody names", () => {
    const call = {
      tool: "Glob",
      input: { path: words(500), pattern: words(500).map((word) => `${word}/*`) },
    };
    const spent = elapsedMs(() => {
      expect(evaluateRules({ rules: [allow("Glob")], call }).effect).toBe("allow");
      expect(evaluateRules({ rules: [allow("Glob(**)")], call }).effect).toBe("ask");
      const decision = evaluateRules({ rules: [allow("Glob"), deny("Read(secret/**)")], call });
      expect(decision).toMatchObject({ effect: "ask", configuredAsk: true });
      expect(decision.reason).toContain("not all that the call is about can be read");
    });
    expect(spent).toBeLessThan(AT_ONCE_MS);
    const few = { tool: "Glob", input: { path: ["a", "secret"], pattern: ["b/*", "c/*"] } };
    expect(evaluateRules({ rules: [allow("Glob"), deny("Read(secret/c/**)")], call: few }).effect).toBe(
      "deny",
    );
  });

  it("of one call are judged up to a number, and beyond it ask, or are denied where a rule denies any", () => {
    const path = words(2_001).map((word) => `src/${word}`);
    const rules = [allow("Read"), deny("Read(secret/**)")];
    const call = { tool: "Read", input: { path } };
    expect(evaluateRules({ rules, call })).toMatchObject({ effect: "deny" });
    const asking = { scope: "user", tool: "Read", pattern: "secret/**", effect: "ask" } as const;
    expect(evaluateRules({ rules: [allow("Read"), asking], call })).toMatchObject({
      effect: "ask",
      configuredAsk: true,
    });
    expect(evaluateRules({ rules: [allow("Read")], call })).toMatchObject({ effect: "ask" });
    const fewer = { tool: "Read", input: { path: path.slice(1) } };
    expect(evaluateRules({ rules, call: fewer }).effect).toBe("allow");
    const denied = { tool: "Read", input: { path: ["secret/x", ...path] } };
    expect(evaluateRules({ rules, call: denied }).effect).toBe("deny");
  });

  it.each([
    ["sources and very many slashes", `cp ${"a ".repeat(1_500)}${"/".repeat(5_000)}x`],
    ["carriage returns", `FOO=1 ./A/echo '${"\r".repeat(16_000)}x'`],
    ["options that start a program", `fd ${"-x ".repeat(2_600)}`],
  ])("of a short command with many %s are judged at once", (_, command) => {
    const spent = elapsedMs(() => expect(decideBash([], command).effect).toBe("ask"));
    expect(spent).toBeLessThan(AT_ONCE_MS);
  });

  it("look a file up once, however often one call names it", () => {
    const rules = [allow("Bash"), allow("Read"), deny("Read(secret/**)")];
    const once = counted(memoryWorkspace({ "/w/a": "" }));
    const often = counted(memoryWorkspace({ "/w/a": "" }));
    const one = decideBash(rules, "cat a", { workspace: once.workspace });
    const many = decideBash(rules, "cat a a a && cat a; cat < a", { workspace: often.workspace });
    expect([one.effect, many.effect]).toEqual(["allow", "allow"]);
    expect(often.lookUps()).toBe(once.lookUps());

    const call = { tool: "Read", input: { path: ["a", "a", "secret", "a", "secret"] } };
    const listed = evaluateRules({ rules, call, workspace: often.workspace });
    expect(listed.parts.map(({ effect }) => effect)).toEqual(["allow", "allow", "deny", "allow", "deny"]);
    expect(listed.parts.map(({ text }) => text)).toEqual(call.input.path);
  });

  it("look the folder of many rules up once for all paths of a call", () => {
    const rules = [allow("Bash"), ...words(100).map((word) => deny(`Read(secret/*.${word})`))];
    const few = counted(memoryWorkspace({ "/w/a": "", "/w/b": "" }));
    expect(decideBash(rules, "cat a b", { workspace: few.workspace }).effect).toBe("allow");
    expect(few.lookUps()).toBeLessThan(10);
  });

  it("ask about a copy of very many files to very many places that a rule may be about", () => {
    const input = { source: words(300), destination: words(300).map((word) => `to/${word}`) };
    const call = { tool: "Copy", input };
    const rules = [allow("Copy"), allow("Read"), allow("Write")];
    expect(evaluateRules({ rules, call }).effect).toBe("allow");
    const decision = evaluateRules({ rules: [...rules, deny("Write(to/0/1)")], call });
    expect(decision).toMatchObject({ effect: "ask", configuredAsk: true });
    const fewer = {
      tool: "Copy",
      input: { source: words(9), destination: words(9).map((word) => `to/${word}`) },
    };
    expect(evaluateRules({ rules: [...rules, deny("Write(to/0/1)")], call: fewer }).effect).toBe("deny");
  });
});

describe("links that change between two calls", () => {
  it("are followed anew in a deny, however often the same workspace was asked", () => {
    const files: { [path: string]: { link: string } | string } = { "/data/x": "", "/w/a": "" };
    const workspace = memoryWorkspace(files);
    const rules = [allow("Read"), deny("Read(out/**)")];
    const effect = () => pathEffect(rules, "Read", "/data/x", { workspace });
    expect(effect()).toBe("allow");
    files["/w/out"] = { link: "/data" };
    expect(effect()).toBe("deny");
    delete files["/w/out"];
    expect(effect()).toBe("allow");
  });

  it("are followed anew at the root, so that nothing is allowed where it led before", () => {
    const disk = temporaryFolder({ "old/src/a": "", "new/src/a": "" });
    const root = join(disk, "root");
    symlinkSync(join(disk, "old"), root);
    const workspace = nodeWorkspace(root);
    const rules = [allow("Read(src/**)")];
    const effects = () =>
      ["src/a", join(disk, "old/src/a"), join(disk, "new/src/a")].map((path) => [
        pathEffect(rules, "Read", path, { workspace }),
        pathEffect([], "Edit", path, { workspace, mode: "accept-edits" }),
      ]);
    const [inside, outside] = [
      ["allow", "allow"],
      ["ask", "ask"],
    ];
    expect(effects()).toEqual([inside, inside, outside]);
    symlinkSync(join(disk, "new"), join(disk, "next"));
    renameSync(join(disk, "next"), root);
    expect(effects()).toEqual([inside, outside, inside]);
  });
});
