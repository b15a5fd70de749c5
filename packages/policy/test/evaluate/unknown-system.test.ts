import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/index.js";
import { allow, ask, bashEffect, deny, pathEffect } from "./rule-samples.js";

const all = ["Bash", "Read", "Write", "Remove", "Copy", "Grep"].map((kind) => allow(kind));

describe("a call without a workspace whose paths look like those of Windows", () => {
  it.each([
    ["Read", "C:\\secret\\k"],
    ["Read", "C:\\x\\..\\secret\\k"],
    ["Read", "\\\\?\\C:\\secret\\k"],
    ["Grep", "c:\\SECRET"],
    ["ListDir", "C:\\x"],
  ])(
    "%s(%s) is bound by a deny that is written with slashes, and by no allow of less than all",
    (tool, path) => {
      const rules = [...all, allow("ListDir(C:/**)"), deny("Read(C:/secret/**)")];
      expect(pathEffect(rules, tool, path)).toBe(tool === "ListDir" ? "ask" : "deny");
    },
  );

  it("is bound where a shell reads, writes or removes it", () => {
    const rules = [...all, deny("Read(C:/secret/**)"), deny("Write(C:/keep/**)")];
    expect(bashEffect(rules, "cat 'C:\\secret\\k'")).toBe("deny");
    expect(bashEffect(rules, "cat 'C:\\public\\k'")).toBe("allow");
    expect(bashEffect(rules, "echo x > 'c:\\KEEP\\k'")).toBe("deny");
    expect(bashEffect(rules, "cd 'C:\\secret' && cat k")).toBe("deny");
  });

  it("asks about a whole folder that holds what a rule speaks of", () => {
    const rules = [...all, deny("Remove(C:/secret/keys/*)"), ask("Read(secret\\deep\\*)")];
    expect(pathEffect(rules, "Remove", "C:\\Secret")).toBe("ask");
    expect(pathEffect(rules, "Remove", "C:\\")).toBe("ask");
    expect(pathEffect(rules, "Remove", "C:\\other")).toBe("allow");
    expect(pathEffect(rules, "Grep", ".\\secret")).toBe("ask");
    expect(pathEffect(rules, "Grep", "secret")).toBe("ask");
    expect(pathEffect(rules, "Grep", "src")).toBe("allow");
  });

  it("binds what is copied into a folder by the name that it has there", () => {
    const rules = [...all, deny("Write(D:/keep/k)")];
    const effect = (source: string, destination: string) =>
      evaluateRules({ rules, call: { tool: "Copy", input: { source, destination } } }).effect;
    expect(effect("C:\\x\\k", "D:\\keep")).toBe("deny");
    expect(effect("C:\\x\\other", "D:\\keep")).toBe("allow");
  });

  it("leaves files of permissions to the rules where edits are accepted", () => {
    const effect = (path: string) => pathEffect([], "Edit", path, { mode: "accept-edits" });
    expect(effect("app\\a.ts")).toBe("allow");
    expect(effect("app\\.git\\config")).toBe("ask");
    expect(effect("C:\\app\\.PERMISSIONS\\settings.yaml")).toBe("ask");
  });
});

describe("a whole folder on Windows", () => {
  it("is asked about where a pattern with `\\` names a place in it", () => {
    const workspace = memoryWorkspace({ "C:\\w\\secret\\keys\\k": "" }, { platform: "win32" });
    const rules = [...all, deny("Remove(secret\\keys\\*)")];
    expect(pathEffect(rules, "Remove", "C:\\w\\secret", { workspace })).toBe("ask");
    expect(pathEffect(rules, "Remove", "C:\\w\\src", { workspace })).toBe("allow");
  });
});
