import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/index.js";
import { allow, ask, bashEffect, decideBash, deny, pathEffect } from "./rule-samples.js";

const workspace = memoryWorkspace({
  "/w/secret/key": "",
  "/w/sub/a": "",
  "/w/src/generated/x": "",
  "/w/old": { link: "/w/sub" },
});
const ALL = [allow("Bash"), allow("Write"), allow("Remove"), allow("Read")];

describe("a line that makes a link", () => {
  it.each([
    "ln -s ../x/key sub/k && cat sub/k",
    "ln -s ../x sub/d; cat sub/d/key",
    "ln -s ../x sub && cat sub/x/key",
    "ln -s ../x ./sub/d && cd sub && cat ./d/key",
    "ln -s ../x sub/d && cd sub/d && cat key",
    "gln --symbolic x sub/d && head sub/d/k",
    "/bin/ln -s x sub/d && head sub/d/k",
    "cp -s /w/a sub/k && cat sub/k",
    "cp -as /w/a sub/k && cat sub/k",
    "cp --symbolic-link /w/a sub/k && cat sub/k",
    "sh -c 'ln -s x y'; cat < y",
    "for f in a b; do cat sub/k; ln -s x sub/k; done",
    'ln -s x "$D"; cat sub/a',
    "echo a b | xargs ln -s && cat b/key",
    "ln -s x sub/d && cat sub/d/../key",
    "ln -s x sub/d && cat other/../key",
    "ln -s x sub/d && grep -r KEY sub",
    "ln -s x sub/d && cp -r sub /w/copy",
  ])("asks where it reads through that link and a deny or an operator's ask could apply: %j", (command) => {
    for (const demand of [deny("Read(secret/**)"), ask("Read(secret/**)")]) {
      expect(decideBash([...ALL, demand], command, { workspace })).toMatchObject({
        effect: "ask",
        configuredAsk: true,
      });
      expect(bashEffect([...ALL, demand], command)).toBe("ask");
    }
  });

  it.each([
    "ln -s x sub/d && cat sub/a",
    "ln -s x sub/d && cat sub/data",
    "ln -s x sub/d && rm sub/d",
    "rm -f sub/d; ln -s x sub/d",
    "ln -s x . && cat y",
    "ln -s x sub/d",
    "cp sub/a sub/k && cat sub/k",
    "cat ln -s x",
  ])("reads other files as ever: %j", (command) => {
    expect(bashEffect([...ALL, deny("Read(secret/**)")], command, { workspace })).toBe("allow");
  });

  it("knows the link by where the folders above it lead", () => {
    const rules = [...ALL, deny("Read(secret/**)")];
    expect(bashEffect(rules, "ln -sf ../x old/d && cat sub/d/key", { workspace })).toBe("ask");
  });

  it("asks nothing of a read where no rule speaks of reading", () => {
    expect(bashEffect(ALL, "ln -s x sub/d && cat sub/d/y", { workspace })).toBe("allow");
  });

  it.each([
    "ln -s generated src/g && echo x > src/g/a",
    "ln -s /etc src/g && echo x | tee src/g/passwd",
    "ln -s /etc src/g; rm -r src/g/",
    "ln -s /etc src/g; cp sub/a src/g",
    "ln -s /etc src/g; ln -s x src/g/y",
  ])("asks about what it changes through that link, whatever allows the place: %j", (command) => {
    const rules = [allow("Bash"), allow("Write(**)"), allow("Remove(**)")];
    expect(bashEffect(rules, command, { workspace })).toBe("ask");
    expect(bashEffect([...rules, deny("Write(src/g/**)")], command, { workspace })).toMatch(/ask|deny/);
  });

  it("leaves a deny of the place itself a deny", () => {
    const rules = [...ALL, deny("Read(secret/**)"), deny("Write(secret/**)")];
    for (const command of ["ln -s x sub/d; cat secret/key", "ln -s x secret/d && cat secret/d"])
      expect(bashEffect(rules, command, { workspace })).toBe("deny");
  });

  it("counts for the other command of the same call", () => {
    const input = { command: "ln -s ../x sub/k", cmd: "cat sub/k" };
    const rules = [...ALL, deny("Read(secret/**)")];
    expect(evaluateRules({ rules, workspace, call: { tool: "Bash", input } }).effect).toBe("ask");
  });
});

describe("a path through what each process has as its own", () => {
  const own = memoryWorkspace({ "/w/secret/key": "", "/w/pid": { link: "/proc/self/cwd" } });

  it.each([
    "/proc/self/cwd/secret/key",
    "/proc/thread-self/cwd/secret/key",
    "/proc/1/root/w/secret/key",
    "/proc/4242/cwd/secret/key",
    "//proc/./self//cwd/secret/key",
    "/proc/self/fd/3",
    "/proc/self/task/1/cwd/secret/key",
    "../proc/self/cwd/secret/key",
  ])("asks where a deny could apply, and no allow of paths covers it: %j", (path) => {
    const rules = [...ALL, deny("Read(/w/secret/**)")];
    expect(decideBash(rules, `cat ${path}`, { workspace: own })).toMatchObject({
      effect: "ask",
      configuredAsk: true,
    });
    expect(pathEffect([allow("Read(/proc/**)")], "Read", path, { workspace: own })).toBe("ask");
  });

  it("asks without a workspace as well", () => {
    const rules = [...ALL, deny("Read(/w/secret/**)")];
    expect(bashEffect(rules, "cat /proc/self/cwd/secret/key")).toBe("ask");
    expect(bashEffect(rules, "cd /proc/self/cwd && cat secret/key")).toBe("ask");
  });

  it("reads what is no place of its own as ever", () => {
    const rules = [...ALL, deny("Read(secret/**)")];
    for (const path of ["/proc/cpuinfo", "proc/self/cwd"])
      expect(bashEffect(rules, `cat ${path}`, { workspace: own })).toBe("allow");
  });
});
