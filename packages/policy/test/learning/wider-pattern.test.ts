import { describe, expect, it } from "vitest";
import { suggestRules } from "../../src/index.js";

const wider = (command: string): string[] =>
  suggestRules({ tool: "Bash", input: { command } })
    .filter(({ exact }) => exact !== true)
    .map(({ pattern }) => pattern);

describe("patterns wider than one command", () => {
  it.each([
    ["git status -s", "git status:*"],
    ["git commit -m x", "git commit:*"],
    ["git diff", "git diff:*"],
    ["npm test", "npm test:*"],
    ["cargo build --release", "cargo build:*"],
    ["cargo test", "cargo test:*"],
    ["grep -r x .", "grep:*"],
    ["cat a", "cat:*"],
  ])("are offered for %s, which starts nothing else", (command, pattern) => {
    expect(wider(command)).toEqual([pattern]);
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
