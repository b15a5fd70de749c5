import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { allow, bashEffect, deny } from "./rule-samples.js";

const workspace = memoryWorkspace({ "/w/secret/k": "", "/w/src/a.ts": "" });
const rules = [allow("Bash"), allow("Write"), allow("Remove"), deny("Read(secret/**)")];

describe("a deny of Read", () => {
  it.each([
    "git diff --no-index /dev/null secret/k",
    "git diff -- secret/k",
    "git diff HEAD~1 secret",
    "git blame secret/k",
    "git blame -n secret/k",
    "git blame --contents=secret/k src/a.ts",
    "git log -p -- secret/k",
    "git log -L1,5:secret/k",
    "git log -L 1,5:secret/k",
    "git show HEAD:secret/k",
    "git show :secret/k",
    "git show :0:./secret/k",
    "git diff -- ':(top)secret/k'",
    "git diff -- :/secret/k",
    "git cat-file -p HEAD:secret/k",
    "git -C secret show HEAD:./k",
    "git -C src show HEAD:secret/k",
    "cd src && git show HEAD:secret/k",
    "git -C src diff -- ../secret/k",
    "git grep KEY -- secret",
    "date -f secret/k",
    "date --file=secret/k",
    "file -f secret/k",
    "readlink -f secret/k",
    "base64 -d secret/k",
    "jq . -c secret/k",
    "zcat -f secret/k",
    "diff -d secret/k /dev/null",
    "comm -1 secret/k /dev/null",
    "fold -s secret/k",
    "bat -p secret/k",
    "ag -r KEY secret",
    "du -X secret/k",
    "ls -L secret",
  ])("binds %j", (command) => {
    expect(bashEffect(rules, command, { workspace })).toBe("deny");
  });

  it.each(["git diff -- 's*'", 'git show "$X"', "git -C $X diff -- k"])(
    "asks about %j, whose files cannot be told",
    (command) => {
      expect(bashEffect(rules, command, { workspace })).toBe("ask");
    },
  );

  it.each([
    "git diff main..dev",
    "git log --oneline origin/main -- src",
    "git log --grep 'a*' -n 5",
    "git log --format='%h [%s]'",
    "git show HEAD~3:src/a.ts",
    "git diff -- src ':!secret'",
    "git status",
    "date +%s",
    "date -d yesterday",
    "file src/a.ts",
    "git commit -m secret",
  ])("leaves %j as it is", (command) => {
    expect(bashEffect(rules, command, { workspace })).toBe("allow");
  });
});
