import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";

function first(command: string) {
  return analyzeShell(command, { dialect: "bash" }).parts[0];
}

describe("a file that a shell or interpreter is given to run", () => {
  it.each([
    ["sh ../bin/canary", "canary"],
    ["bash canary -c", "canary -c"],
    ["bash canary'' -c cho", "canary -c cho"],
    ["bash - canary", "canary"],
    ["bash -- canary", "canary"],
    ["bash -o pipefail ./canary a b", "canary a b"],
    ["bash +o errexit ./canary a b", "canary a b"],
    ["/bin/dash -e canary", "canary"],
    ["python3 -u ./canary x", "canary x"],
    ["node --inspect tools/canary x", "canary x"],
    ["perl -I lib canary", "canary"],
    ["bash /usr/bin/git -C x push origin", "git push origin"],
  ])("is known to deny and ask rules as a program: %s", (command, form) => {
    expect(first(command)?.forms).toContain(form);
    expect(first(command)?.opaque).toBeNull();
  });

  it.each([["bash -c 'ls canary'"], ["python3 -m canary"], ["bash --version"], ["ls canary"]])(
    "is none in %s",
    (command) => {
      expect(first(command)?.forms).not.toContain("canary");
    },
  );

  it("is not in our tables, so that nobody knows what it does with its words", () => {
    expect(first("bash run.sh git push")?.known).toBe(false);
    expect(first("python3 run.py git push")?.known).toBe(false);
    expect(first("bash -c 'git push'")?.known).toBe(true);
    expect(first("python3 -m http.server")?.known).toBe(true);
  });

  it.each([
    ["bash scripts/build.sh --fast"],
    ["sh dev/build.sh"],
    ["python3 -u script.py -c settings"],
    ["node --inspect script.js -e x"],
    ["node --enable-source-maps --test x.js"],
    ["perl -Ilib script.pl"],
    ["perl -w -I lib script.pl -e"],
    ["ruby -w -Ilib test.rb"],
    ["php -f x.php"],
  ])("may be trusted as any program: %s", (command) => {
    expect(first(command)?.opaque).toBeNull();
  });
});

describe("the script of a shell", () => {
  it.each([
    ["bash +o errexit -c canary"],
    ["bash -c - canary"],
    ["bash -c -- canary"],
    ["dash -c - 'sh -c canary'"],
  ])("is found after every option: %s", (command) => {
    const { parts } = analyzeShell(command, { dialect: "bash" });
    expect(parts.map(({ text }) => text)).toContain("canary");
  });
});
