// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { isOpaque, targetsOf } from "./named-files.js";

describe("what git writes and reads beside its own store", () => {
  it.each([
    ["git merge-file a b c", ["read a", "write a", "read b", "read c"]],
    ["git merge-file -L x -L y a b c", ["read a", "write a", "read b", "read c"]],
    ["git merge-file -p a b c", ["read a", "read b", "read c"]],
    ["git merge-file -p --no-stdout a b c", ["read a", "write a", "read b", "read c"]],
    ["git merge-file -p --no-std a b c", ["read a", "write a", "read b", "read c"]],
    ["git merge-file -p --no-diff3 a b c", ["read a", "read b", "read c"]],
    ["git merge-file --marker-s 7 a b c", ["read a", "write a", "read b", "read c"]],
    ["git merge-file --marker-size -p a b c", ["read a", "write a", "read b", "read c"]],
    ["git bundle create --version 3 f HEAD", ["read f", "write f", "read HEAD"]],
    ["git bundle create --vers 3 f HEAD", ["read f", "write f", "read HEAD"]],
    ["git -C d merge-file a b c", ["read d/a", "write d/a", "read d/b", "read d/c"]],
    ["git bundle create f HEAD", ["read f", "write f", "read HEAD"]],
    ["git bundle verify .env", ["read .env"]],
    ["git bundle list-heads f", ["read f"]],
    ["git bundle unbundle f", ["read f"]],
    ["git -C d bundle verify f", ["read d/f"]],
    ["git -C d archive --output=f HEAD", ["read d/HEAD", "read d/.", "write d/f"]],
    ["git -C d diff --output=f", ["write d/f"]],
    ["git hash-object -w .env", ["read .env"]],
    ["git hash-object --stdin-paths", ["read null"]],
    ["git commit -F .env", ["read .env"]],
    ["git commit -qF.env", ["read .env"]],
    ["git commit --file=.env", ["read .env"]],
    ["git commit --fil .env", ["read null"]],
    ["git commit -t .env", ["read .env"]],
    ["git commit -m secret", []],
    ["git -C d commit -F .env", ["read d/.env"]],
    ["git tag -a v1 -F .env", ["read .env"]],
    ["git merge -F .env x", ["read .env"]],
    ["git config -f .env --list", ["read .env"]],
  ])("with %j is %j", (command, expected) => {
    expect(targetsOf(command)).toEqual(expected);
  });

  it.each(["commit", "tag", "merge", "notes", "commit-tree"])("may be a message of git %s", (subcommand) => {
    for (const option of ["-F", "--file", "-t", "--template"]) {
      expect(targetsOf(`git ${subcommand} ${option} .env`)).toEqual(["read .env"]);
      for (const text of ["-m", "--message", "--author", "-c", "-C"])
        expect(targetsOf(`git ${subcommand} ${text} ${option} .env`)).toEqual([]);
    }
    for (const letter of ["u", "S", "X"]) expect(targetsOf(`git ${subcommand} -${letter}F .env`)).toEqual([]);
    expect(targetsOf(`git ${subcommand} --template=.env`)).toEqual(["read .env"]);
    expect(targetsOf(`git ${subcommand} --pathspec-from-file=.env`)).toEqual(["read .env"]);
  });

  it.each([
    ["git config --file=.env --list", ["read .env"]],
    ["git hash-object -t blob .env", ["read .env"]],
    ["git hash-object --path v .env", ["read .env"]],
    ["git merge-file --diff-algorithm v a b c", ["read a", "write a", "read b", "read c"]],
    ["git merge-file --stdout a b c", ["read a", "read b", "read c"]],
  ])("or of a setting or a file kept: %j is %j", (command, expected) => {
    expect(targetsOf(command)).toEqual(expected);
  });

  it.each([
    ["git -C d mv a b", ["write d/b", "write d/b/a", "remove d/a"]],
    ["git mv -f a 'b*' d/", ["write d/", "write d/a", "write d/b*", "remove a", "remove b*"]],
    ["git clone https://h/r", []],
    ["git clone https://h/r d", ["write d"]],
    ["git -C e clone https://h/r d", ["write e/d"]],
    ["git clone --separate-git-dir=g https://h/r d", ["write g", "write d"]],
    ["git clone --sep g https://h/r d", ["write g", "write d"]],
    ["git interpret-trailers f", []],
    ["git interpret-trailers --in-place f", ["write f"]],
    ["git interpret-trailers --in-p f", ["write f"]],
    ["git interpret-trailers --in-place --trailer 'a: b' f", ["write f"]],
  ])("or is moved, cloned or given trailers: %j is %j", (command, expected) => {
    const changed = targetsOf(command).filter((target) => !target.startsWith("read"));
    expect(changed.toSorted()).toEqual(expected.toSorted());
  });

  it("may be what git interpret-trailers shows", () => {
    expect(targetsOf("git interpret-trailers .env")).toEqual(["read .env"]);
    for (const option of ["--trailer", "--where", "--if-exists", "--if-missing"])
      expect(targetsOf(`git interpret-trailers ${option} v .env`)).toEqual(["read .env"]);
  });

  it.each(
    "-b -o -j --branch --origin --depth --reference --separate-git-dir --jobs --filter --shallow-since".split(
      " ",
    ),
  )("is a clone's folder behind the value of %s", (option) => {
    expect(targetsOf(`git clone ${option} v u d`)).toContain("write d");
    expect(targetsOf(`git clone ${option} v u`)).not.toContain("write u");
  });

  it.each("add reset checkout restore rm stash".split(" "))(
    "may be a list of paths for git %s",
    (subcommand) => {
      for (const command of [
        `git ${subcommand} --pathspec-from-file=.env`,
        `git ${subcommand} --pathspec-from-file .env`,
        `git ${subcommand} --pathspec-fr .env`,
        `git ${subcommand} --pathspec-f=.env`,
      ])
        expect(targetsOf(command)).toContain("read .env");
      expect(targetsOf(`git ${subcommand} --pathspec-from-file=$F`)).toContain("read null");
      expect(targetsOf(`git ${subcommand} "--pathspec-from-file=$F"`)).toContain("read null");
      expect(targetsOf(`git ${subcommand} --pathspec-from-file -`)).not.toContain("read -");
      expect(targetsOf(`git ${subcommand} a "$F"`).filter((target) => target.startsWith("read"))).toEqual([]);
    },
  );

  it.each([
    ["git format-patch -o d HEAD~", ["write d"]],
    ["git format-patch -od HEAD~", ["write d"]],
    ["git format-patch -kso d HEAD~", ["write d"]],
    ["git format-patch -ksod HEAD~", ["write d"]],
    ["git -C e format-patch -1od", ["write e/d"]],
    ["git archive -vof HEAD", ["write f"]],
    ["git format-patch -Mo HEAD~", []],
  ])("is a folder or an archive with %j: %j", (command, expected) => {
    expect(targetsOf(command).filter((target) => target.startsWith("write"))).toEqual(expected);
  });

  it.each([
    "git merge -s canary x",
    "git merge -scanary x",
    "git merge -qs canary x",
    "git merge --strategy canary x",
    "git merge --strategy=canary x",
    'git merge -s "$S" x',
    "git merge $X",
    "git pull -s canary",
    "git rebase -s canary x",
    "git rebase -m -s canary x",
    "git rebase -ms canary x",
    "git rebase -m --strategy=canary x",
    "git rebase -m -scanary x",
    "git pull -m -s canary",
    "git cherry-pick -F --strategy=canary x",
    "git cherry-pick --strategy=canary x",
    "git revert --strategy canary x",
  ])("is not all that happens with %s", (command) => {
    expect(isOpaque(command)).toBe(true);
  });

  it.each([
    "git merge -s ours x",
    "git merge -m -s x",
    "git merge -F -s x",
    "git rebase -X -s x",
    "git rebase -C -s x",
    "git pull -X -s",
    "git cherry-pick -m --strategy=canary x",
    "git merge -X theirs x",
    'git merge --message "$M" x',
    'git merge -m "$M" x',
    "git merge -Xtheirs --strategy=ort x",
    "git merge --no-ff -m 'a canary' x",
    "git cherry-pick -s x",
    "git revert -sn x",
  ])("is all with %s", (command) => {
    expect(isOpaque(command)).toBe(false);
  });
});
