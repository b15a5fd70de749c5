import { describe, expect, it } from "vitest";
import { suggestRules } from "../../src/index.js";

const wider = (command: string): string[] =>
  suggestRules({ tool: "Bash", input: { command } })
    .filter(({ exact }) => exact !== true)
    .map(({ pattern }) => pattern);

describe("patterns wider than one command", () => {
  it.each([
    ["git status -s", "git status:*"],
    ["git describe --tags", "git describe:*"],
    ["git rev-parse HEAD", "git rev-parse:*"],
    ["git ls-files", "git ls-files:*"],
    ["git ls-tree HEAD", "git ls-tree:*"],
    ["grep -r x .", "grep:*"],
    ["cat a", "cat:*"],
    ["hexdump -C a", "hexdump:*"],
  ])("are offered for %s, which only reads whatever follows", (command, pattern) => {
    expect(wider(command)).toEqual([pattern]);
  });

  it.each([
    ["git diff", "--output=f writes a file"],
    ["git log", "--output=f writes a file"],
    ["git show", "--output=f writes a file"],
    ["git blame f", "--output=f writes a file"],
    ["git shortlog HEAD", "--output=f writes a file"],
    ["git add a", "-e starts an editor"],
    ["git commit -m x", "-S starts a signer, and --no-verify leaves hooks out"],
    ["diff a b", "-l starts pr"],
    ["sort a", "-o writes, and --compress-program starts a program"],
    ["uniq a", "a second operand is written"],
    ["tree", "-o writes a file"],
    ["less a", "an operand with + is a command"],
    ["iconv a", "-o writes a file"],
    ["xxd a", "a second operand is written"],
    ["file a", "-C writes a file"],
    ["date", "-s sets the time"],
    ["find .", "-exec starts a program"],
    ["sed s/a/b/ f", "a script may run and write"],
    ["awk '{print}' f", "a program may run and write"],
    ["npm test", "--script-shell names a program"],
    ["cargo build --release", "--config names programs"],
    ["cargo check", "--config names programs"],
    ["cargo test", "--config names programs"],
    ["go build", "-toolexec names a program"],
    ["make", "--eval runs text"],
  ])("are not offered for %s: %s", (command) => {
    expect(wider(command)).toEqual([]);
  });

  it.each([
    "podman unshare x",
    "nix develop -c x",
    "yarn node x",
    "rails runner x",
    "rsh host x",
    "docker compose up",
    "docker container ls",
    "uv tool list",
    "gcloud compute ssh",
    "git config user.name x",
    "git stash list",
    "git submodule status",
    "git fetch --upload-pack=x",
    "git rebase --exec x",
    "git bisect good",
    "git -C x status",
    "npm install x",
    "cargo install x",
    "go test -exec x",
    "sort --compress-program=x f",
    "rg --pre x y",
    "printf -v x y",
    "unknown sub",
    "unknown",
    "./ls x",
    "A=1 ls",
    '"git" status',
  ])("are not offered for %s", (command) => {
    expect(wider(command)).toEqual([]);
  });

  it.each(["docker compose up", "git config user.name x", "unknown sub"])(
    "leave %s to its exact rule",
    (command) => {
      const rules = suggestRules({ tool: "Bash", input: { command } });
      expect(rules.map(({ pattern, exact }) => [pattern, exact])).toEqual([[command, true]]);
    },
  );
});
