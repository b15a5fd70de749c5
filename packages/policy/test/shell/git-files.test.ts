// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { GIT_FILES } from "../../src/shell/tables/git-files.js";
import { GIT_BUILTINS } from "./git-builtins.js";
import { isOpaque, targetsOf, writesOf } from "./named-files.js";

/** Subcommands that write nothing but git's own store and, by its rules, the work tree. */
const KEEPS_TO_ITS_STORE = (
  "add add--interactive am annotate apply archive backfill blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format " +
  "checkout cherry cherry-pick clean column commit commit-graph commit-tree count-objects describe diff diff-files diff-index " +
  "diff-pairs diff-tree env--helper fast-export fetch-pack http-push imap-send multi-pack-index pack-redundant prune-packed request-pull send-pack unpack-objects upload-archive upload-archive--writer fetch fmt-merge-msg for-each-ref format-patch fsck fsck-objects gc get-tar-commit-id grep " +
  "help history last-modified log ls-files ls-remote ls-tree maintenance merge merge-base merge-octopus merge-ours " +
  "merge-recursive merge-recursive-ours merge-recursive-theirs merge-resolve merge-subtree merge-tree mktag mktree name-rev " +
  "notes pack-refs patch-id pickaxe prune pull push range-diff read-tree rebase reflog refs remote repack replace replay repo " +
  "rerere reset restore rev-list rev-parse revert shortlog show show-branch show-index show-ref sparse-checkout stage stash " +
  "status stripspace switch symbolic-ref tag update-index update-ref update-server-info var verify-commit verify-pack " +
  "verify-tag version whatchanged worktree write-tree"
).split(" ");

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
    ["git commit --pathspec-from-file .env", ["read .env"]],
    ["git commit -t .env", ["read .env"]],
    ["git commit -m secret", []],
    ["git -C d commit -F .env", ["read d/.env"]],
    ["git tag -a v1 -F .env", ["read .env"]],
    ["git merge -F .env x", ["read .env"]],
    ["git config -f .env --list", ["read .env"]],
    ["git config --file .env --list", ["read .env"]],
    ["git config -f .env --unset a.b", ["read .env", "write .env"]],
    ["git config unset --file .env a.b", ["read .env", "write .env"]],
    ["git config --unset a.b", []],
    ["git format-patch --signature-file=.env", ["read .env"]],
    ["git format-patch --signature-file .env", ["read .env"]],
    ["git format-patch --signature-f=.env", ["read .env"]],
    ["git format-patch --description-file=.env", ["read .env"]],
    ["git format-patch --descr=.env", ["read .env"]],
    ["git blame --cont=.env x", ["read .env", "read x"]],
    ["git blame --ignore-revs=.env x", ["read .env", "read x"]],
    ["git archive --add-file=.env v1", ["read .env", "read v1", "read ."]],
    ["git pickaxe .env", ["read .env"]],
    ["git fmt-merge-msg -F .env", ["read .env"]],
    ["git apply .env", ["read .env"]],
    ["git am -3 .env", ["read .env"]],
    ["git apply --directory d -p 1 -C 1 x", ["read x"]],
    ["git apply --build-fake-ancestor=f x", ["write f", "read x"]],
    ["git apply --unsafe-paths x", ["write null", "read x"]],
    ["git init", []],
    ["git init .", []],
    ["git -C d init e", ["write d/e"]],
    ['git init "$D"', ["write null"]],
    ["git init -q -b main d", ["write d"]],
    ["git init-db --initial-branch main --object-format sha256 --ref-format files d", ["write d"]],
    ["git init --separate-git-dir g d", ["write g", "write d"]],
    ["git am --patch-format mbox --whitespace fix --exclude a --include b x", ["read x"]],
    ["git worktree list", []],
    ["git worktree add -b x d main", ["read d", "write d"]],
    ['git worktree add d "$B"', ["read d", "write d"]],
    ['git worktree add "$D"', ["read null", "write null"]],
    ["git worktree add -b $B d", ["read d", "write d", "write null", "read null"]],
    ["git worktree add --rea $R d", ["read d", "write d", "write null", "read null"]],
    ["git worktree move d e", ["read d", "remove d", "write e", "write e/d"]],
    ["git worktree remove d", ["remove d"]],
    ["git worktree repair d", ["write d"]],
    ["git fast-export --all", []],
    ["git fast-export --export-marks=f HEAD", ["write f"]],
    ["git fast-export --export-marks f HEAD", ["write f"]],
    ["git fast-export --import-marks=.env HEAD", ["read .env"]],
    ["git fast-export --import-marks-if-exists=.env HEAD", ["read .env"]],
    ["git fast-import --export-m=f --export-pack-edges=g", ["write f", "write g"]],
    ["git fast-import --rewrite-submodules-from=a:.env", ["read .env"]],
    ["git fast-import --rewrite-submodules-to=a:.env", ["read .env"]],
    ["git fast-import --allow-unsafe-features", ["write null"]],
    ["git read-tree --index-output=f HEAD", ["write f"]],
    ["git read-tree -m HEAD", []],
    ["git checkout-index --prefix=d/ -a", ["write d/"]],
    ["git checkout-index --prefix d/ -a", ["write d/"]],
    ["git checkout-index --prefix=.g -a", ["write null", "write .g"]],
    ["git checkout-index --pref=.g -a", ["write null", "write .g"]],
    ["git checkout-index -a", []],
    ["git maintenance register --config-file f", ["write f"]],
    ["git maintenance run", []],
    ["git gc --expire-to=d", ["write d"]],
    ["git repack -ad --filter-to d", ["write d"]],
    ["git credential-store --file=f get", ["write f", "write get", "write null"]],
    ["git mailsplit -od x", ["write d", "write x", "write null"]],
    ["git -C d mailinfo a b", ["write d/a", "write d/b", "write null"]],
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
    "-b -o -j --branch --origin --depth --reference --separate-git-dir --jobs --filter --shallow-since --shallow-exclude --reference-if-able --ref-format --bundle-uri --server-option --revision".split(
      " ",
    ),
  )("is a clone's folder behind the value of %s", (option) => {
    expect(targetsOf(`git clone ${option} v u d`)).toContain("write d");
    expect(targetsOf(`git clone ${option} v u`)).not.toContain("write u");
  });

  it.each("add stage reset checkout restore rm stash".split(" "))(
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

  const rest = GIT_FILES.find(({ names }) => names.includes("mailinfo"))?.names ?? [];

  it.each(rest)("is not told where no row says it: git %s", (subcommand) => {
    expect(writesOf(`git ${subcommand} f`)).toEqual(["write f", "write null"]);
    expect(writesOf(`git ${subcommand}`)).toEqual(["write null"]);
  });

  it.each(KEEPS_TO_ITS_STORE)("is nothing of git %s", (subcommand) => {
    expect(writesOf(`git ${subcommand}`)).toEqual([]);
    expect(writesOf(`git ${subcommand} --all x`)).toEqual([]);
  });

  it("is known of every subcommand of git's own", () => {
    const rows = GIT_FILES.flatMap((row) => row.names.map((name) => name.split(" ", 1)[0]));
    const known = new Set([...KEEPS_TO_ITS_STORE, ...rows]);
    expect(GIT_BUILTINS.filter((name) => !known.has(name) && !isOpaque(`git ${name}`))).toEqual([]);
  });

  it.each(["lfs pull", "co main", "absorb f", "subtree pull --prefix d u main"])(
    "is not read for programs of others and aliases: git %s",
    (words) => {
      expect(targetsOf(`git ${words}`)).toEqual([]);
    },
  );

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
