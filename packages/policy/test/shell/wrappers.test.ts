// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";
import { OPAQUE_WRAPPERS } from "../../src/shell/tables/opaque-wrappers.js";
import { WRAPPERS } from "../../src/shell/tables/wrappers.js";

function shape(command: string): unknown[] {
  return analyzeShell(command, { dialect: "bash" }).parts.map((part) => [
    part.text,
    part.wrapping,
    part.startedBy,
  ]);
}

describe("a transparent wrapper", () => {
  it.each([
    ["timeout 5 ls -l", "ls -l"],
    ["timeout -k 3 --signal=KILL 5s ls", "ls"],
    ["time ls", "ls"],
    ["time -p ls", "ls"],
    ["nice ls", "ls"],
    ["nice -n 5 ls", "ls"],
    ["nice -5 ls", "ls"],
    ["ionice -c 3 ls", "ls"],
    ["stdbuf -oL -e 0 ls", "ls"],
    ["nohup ls", "ls"],
    ["env ls", "ls"],
    ["env -i -u X ls", "ls"],
    ["env - ls", "ls"],
    ["command ls", "ls"],
    ["command -p ls", "ls"],
    ["/usr/bin/timeout 5 ls", "ls"],
    ["bash -c 'ls'", "ls"],
    ["sh -ec ls", "ls"],
    ["dash -c ls", "ls"],
    ["zsh -c ls", "ls"],
    ["bash -c 'ls' name argument", "ls"],
    ["bash +x -c ls", "ls"],
    ["bash +c ls", "ls"],
    ["dash +ec ls", "ls"],
    ["bash -oc pipefail ls", "ls"],
    ["bash -eo pipefail -c ls", "ls"],
    ["bash -c -e ls", "ls"],
    ["bash --norc -c -- ls", "ls"],
    ["bash -vc ls", "ls"],
  ])("is seen through: %j", (command, inner) => {
    expect(analyzeShell(command).opaque).toBeNull();
    expect(shape(command)).toEqual([
      [command, "transparent", null],
      [inner, "none", 0],
    ]);
  });

  it.each([
    "./timeout 5 ls",
    "TIMEOUT 5 ls",
    "/tmp/env ls",
    "A=1 timeout 5 ls",
    "timeout $(a) ls",
    "timeout 5 cat <<E\n$(a)\nE",
  ])("is judged itself too where more than its program shows: %j", (command) => {
    expect(analyzeShell(command).parts[0]?.wrapping).toBe("outer");
  });

  it("starts nothing where it only tells", () => {
    expect(shape("command -v ls")).toEqual([["command -v ls", "none", null]]);
    expect(shape("ionice -p 3")).toEqual([["ionice -p 3", "none", null]]);
    expect(shape("sudo -l")).toEqual([["sudo -l", "none", null]]);
  });
});

describe("an outer wrapper", () => {
  it.each([
    ["sudo -u x ls", "ls"],
    ["sudo A=1 ls", "ls"],
    ["doas ls", "ls"],
    ["setsid ls", "ls"],
    ["env A=1 ls", "ls"],
    ["xargs -n 1 ls", "ls"],
    ["xargs -0 -I{} ls {}", "ls {}"],
    ["watch -n 2 'ls -l'", "ls -l"],
    ["watch ls -l", "ls -l"],
    ["ssh -p 2 host ls -l", "ls -l"],
    ["ssh host 'ls -l'", "ls -l"],
    ["find . -exec ls {} +", "ls {}"],
    ["find . -name x -execdir ls \\;", "ls"],
    ["bash -lc ls", "ls"],
  ])("needs an allow as well as what it starts: %j", (command, inner) => {
    expect(analyzeShell(command).opaque).toBeNull();
    expect(shape(command)).toEqual([
      [command, "outer", null],
      [inner, "none", 0],
    ]);
  });

  it("of several commands shows each", () => {
    expect(shape("find . -exec a \\; -ok b {} \\;").slice(1)).toEqual([
      ["a", "none", 0],
      ["b {}", "none", 0],
    ]);
    expect(shape("ssh host 'a; b | c'").slice(1)).toEqual([
      ["a", "none", 0],
      ["b", "none", 0],
      ["c", "none", 0],
    ]);
  });

  it("whose program gets more words than the text shows says so", () => {
    const inner = analyzeShell("xargs git").parts[1];
    expect(inner?.text).toBe("git");
    expect(inner?.argv.at(-1)?.value).toBeNull();
  });
});

describe("wrappers inside each other", () => {
  it.each([
    "sudo timeout 5 nice rm x",
    "env nohup sudo rm x",
    "bash -c 'sudo sh -c \"rm x\"'",
    "find . -exec sudo timeout 5 rm x \\;",
    "xargs sudo bash -c 'rm x'",
    "ssh host sudo timeout 5 rm x",
    "eval sudo bash -c \"'rm x'\"",
    "command env time rm x",
    "BASH -c 'SUDO rm x'",
  ])("are all seen through: %j", (command) => {
    expect(analyzeShell(command).parts.map((part) => part.text)).toContain("rm x");
  });
});

describe("what is opaque and still visible", () => {
  it.each([
    "eval 'rm x'",
    "eval rm x",
    "trap 'rm x' EXIT",
    "alias ls='rm x'",
    "su -c 'rm x'",
    "su - user -c 'rm x'",
    "script -c 'rm x' f",
    "flock f rm x",
    "flock f -c 'rm x'",
    "chroot / rm x",
    "busybox rm x",
    "exec rm x",
    "env -S 'rm x'",
    "env PATH=/y rm x",
    "parallel rm x",
    'bash -c "rm x; $y"',
    "bash <<E\nrm x\nE",
    "bash -ic 'rm x'",
    "sh <<< 'rm x'",
    "ksh -c 'rm x'",
    "strace rm x",
    "systemd-run rm x",
  ])("shows the program it starts: %j", (command) => {
    const analysis = analyzeShell(command, { dialect: "bash" });
    expect(analysis.opaque).not.toBeNull();
    expect(analysis.parts.map((part) => part.text)).toContain("rm x");
  });
});

describe("the table of wrappers", () => {
  const named = [...WRAPPERS, ...OPAQUE_WRAPPERS].flatMap((wrapper) =>
    wrapper.names.map((name) => ({ name, wrapper })),
  );

  it("says of each why it stands there, and names none twice", () => {
    expect([...WRAPPERS, ...OPAQUE_WRAPPERS].every(({ why }) => why !== "")).toBe(true);
    expect(new Set(named.map(({ name }) => name)).size).toBe(named.length);
  });

  it.each(named)("peels $name", ({ name, wrapper }) => {
    const before = Array.from({ length: wrapper.operands ?? 0 }, () => " 5").join("");
    const analysis = analyzeShell(`${name}${before} rm x`, { dialect: "bash" });
    expect(analysis.parts.map((part) => part.text)).toContain("rm x");
    expect(analysis.opaque !== null).toBe(wrapper.wrapping === "opaque");
    expect(analysis.parts[0]?.wrapping).toBe(wrapper.wrapping === "transparent" ? "transparent" : "outer");
  });

  it.each(named)("trusts no option of $name that it does not know", ({ name }) => {
    expect(analyzeShell(`${name} --never-heard-of rm x`).opaque).not.toBeNull();
  });
});
