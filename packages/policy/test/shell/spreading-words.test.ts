// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of a shell, and no templates.
import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../src/shell/analyze-shell.js";
import { isReadOnlyShell } from "../../src/shell/is-read-only-shell.js";

function opaqueOf(command: string): string | null {
  return analyzeShell(command, { dialect: "bash" }).opaque;
}

function operationsOf(command: string): string[] {
  const { parts } = analyzeShell(command, { dialect: "bash" });
  return parts.flatMap(({ targets }) => targets.map(({ operation, path }) => `${operation} ${path}`));
}

describe("a word that may become several", () => {
  it.each([
    "env A=${x:-b canary}",
    "env A=$x",
    "env A=$x ls",
    "env A={1,2} {B=1,canary}",
    "env --chdir=$x ls",
    "env -C $x ls",
    'env "$x=1"',
    'env "$NAME=1" ls',
    "echo canary | xargs -I A=1 env A=1",
    "echo canary | xargs -i= env =",
    'env "A=${@}" ls',
    'env "A=${@:1}" ls',
    'git -C "${@}"',
    "git config user.name $x",
    'man "$x"',
    'go test "$x"',
    "sudo A=$x ls",
    "sort -k $x f",
    "sort -k {1,2} f",
    "sort -k * f",
    "git -C $x status",
    "tar -C $x -cf a.tar b",
    "split -b $x f",
    "python3 -W $x -m pytest",
    "man $x ls",
    "npm test $x",
    "kubectl get pods -n $x",
    "docker $x",
    "docker -H $x ps",
    "docker compose $x",
    'poetry "$x" ls',
    "printf -- $x",
    "printf -- aaa%$x",
    "printf -- {%n,PATH}",
  ])("makes a command opaque that could get an option or a program with it: %s", (command) => {
    expect(opaqueOf(command)).not.toBeNull();
  });

  it.each([
    "env A=$HOME ls",
    'env A="$x" ls',
    "env A=* ls",
    "ls $x",
    "head -n $x f",
    "grep -e $x f",
    'sort -k "$x" f',
    "git -C $HOME/work status",
    'git -C "$x" status',
    'npm test "$x"',
    'kubectl get pods -n "$x"',
    "docker ps $x",
    'go test -run "$x" ./...',
    'git config user.name "$x"',
    'git -C "${*}" status',
    "python3 -m pytest $x",
    "npm test -- $x",
  ])("changes nothing where it can bring none: %s", (command) => {
    expect(opaqueOf(command)).toBeNull();
  });

  it.each([
    "git log $x",
    'git log "$x"',
    "git log -n $x",
    "git show HEAD$x",
    "git diff {--output=f,HEAD}",
    "git diff --ou{t..t}put=f",
    "git stash show $x",
    "shuf -n $x f",
    "shuf --o=g f",
    "iconv $x f",
    'curl "$x"',
    "curl -A $x https://a",
    "dd if=$x",
    "dd if=a$x",
    "uniq -f $x f",
    "uniq -f {1,a,b}",
    "tree -L $x",
    "touch -d $x f",
    "zstd -c $x",
    "echo of=f | xargs -I if=A dd if=A",
  ])("may name a file that a program writes: %s", (command) => {
    expect(operationsOf(command).some((target) => target.startsWith("write "))).toBe(true);
    expect(isReadOnlyShell(command, { dialect: "bash" })).toBe(false);
  });

  it.each([
    'git log -n "$x"',
    'git log --author "$x"',
    'git log --since="$x"',
    'git diff -- "$x"',
    'git log HEAD~2 -- "$x"',
    "git log $HOME/work",
    'git commit -m "$x"',
    'git add "$x"',
    'shuf -n "$x" f',
    'curl "https://a/$x"',
    'dd if="$x"',
    'uniq "$x"',
    "cat $x",
  ])("names none where it is no option, and stays one word: %s", (command) => {
    expect(operationsOf(command).filter((target) => target.startsWith("write "))).toEqual([]);
  });

  it("may name a file that a program reads", () => {
    expect(operationsOf("head -n $x f")).toContain("read null");
    expect(operationsOf('head -n "$x" f')).toEqual(["read f"]);
  });
});

describe("a redirect whose target may become an address", () => {
  it.each([
    "cat </dev/tc{p..p}/127.0.0.1/9",
    "cat </dev/{t..t}cp/127.0.0.1/9",
    "cat 2>&1 </dev/tc{p..p}/$USER.a/9",
    "cat <${x:-/dev/tcp/127.0.0.1/9}",
  ])("is opaque, and not read-only: %s", (command) => {
    expect(opaqueOf(command)).not.toBeNull();
    for (const dialect of ["bash", "posix"] as const)
      expect(isReadOnlyShell(command, { dialect })).toBe(false);
  });

  it.each(["cat <$PWD/tcp/a/9", "cat <~+/tcp/a/9"])("is not read-only: %s", (command) => {
    expect(isReadOnlyShell(command, { dialect: "bash" })).toBe(false);
  });

  it.each(["cat <$HOME/a", "cat <~/a", "cat <*.txt", "cat <a{b}"])(
    "is read-only elsewhere: %s",
    (command) => {
      expect(isReadOnlyShell(command, { dialect: "bash" })).toBe(true);
    },
  );
});

describe("variables that lead a build to its programs", () => {
  it.each([
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
    "JAVA_HOME",
    "M2_HOME",
    "PYTEST_PLUGINS",
    "PHPRC",
  ])("make an assignment to %s opaque", (name) => {
    expect(opaqueOf(`${name}=. make`)).not.toBeNull();
    expect(opaqueOf(`env ${name}=. make`)).not.toBeNull();
    expect(opaqueOf(`export ${name}=.`)).not.toBeNull();
  });
});

describe("what git removes, reads and looks for", () => {
  it.each([
    ["git rm a b", ["remove a", "remove b"]],
    ["git rm -r 'a*'", ["remove null"]],
    ["git -C d rm a", ["remove null"]],
    ["git grep 'a.*b' -- src", ["read src"]],
    ["git grep -n 'foo*'", ["read ."]],
    ["git grep -e 'a*' secret", ["read null", "read secret"]],
    ["git log -G 'a.*b' -- src", ["read src"]],
    ["git log -S 'a*'", []],
    ["link a b", ["read a", "write b", "write b/a"]],
    ["cat src/\\[id\\].ts", ["read src/[id].ts"]],
    ["cat src/[id].ts", ["read null"]],
    ["cat src/\\\\[id].ts", ["read null"]],
  ])("in %j are %j", (command, expected) => {
    expect(operationsOf(command)).toEqual(expected);
  });
});
