import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/evaluate/evaluate-rules.js";
import { definePermissions } from "../../src/policy/define-permissions.js";
import { analyzeShell } from "../../src/shell/analyze-shell.js";
import { RUNNERS } from "../../src/shell/tables/runners.js";

describe("a subcommand that starts a program", () => {
  it.each([
    "docker exec -it c rm x",
    "docker --context a exec -e A=1 c rm x",
    "docker container exec c rm x",
    "docker compose -f f exec -T c rm x",
    "podman exec c rm x",
    "docker-compose exec c rm x",
    "docker exec c sh -c 'rm x'",
    "kubectl exec pod -- rm x",
    "kubectl -n a exec -it pod -c b -- rm x",
    "ip netns exec a rm x",
    "direnv exec . rm x",
    "poetry run rm x",
    "pipenv run rm x",
    "bundle exec rm x",
    "rbenv exec rm x",
    "conda run -n a rm x",
    "mise exec -- rm x",
    "aws-vault exec a -- rm x",
  ])("needs an allow as well as that program: %j", (command) => {
    const { parts } = analyzeShell(command);
    expect(parts[0]?.wrapping).toBe("outer");
    expect(parts.map(({ text }) => text)).toContain("rm x");
  });

  it.each([
    "docker ps",
    "docker run -it x",
    "kubectl get pods",
    "poetry install",
    "bundle install",
    "ip addr",
  ])("is not seen in another: %j", (command) => {
    expect(analyzeShell(command).parts).toHaveLength(1);
  });

  it("is found behind an option that is not known", () => {
    expect(analyzeShell("docker --strange a exec c rm x").parts.map(({ text }) => text)).toContain("rm x");
  });

  it("tells what it is for", () => {
    expect(RUNNERS.every(({ why }) => why !== "")).toBe(true);
  });
});

describe("a program that hides what it runs", () => {
  it.each([
    "fd -x rm x",
    "fd -HX rm x",
    "fd -e ts --exec rm x",
    "fd --exec-batch rm x \\;",
    "fd --exec=rm x",
    "fd -xrm x",
    "chronic rm x",
    "cgexec -g cpu:a rm x",
    "trickle -d 5 rm x",
    "ssh-agent rm x",
    "ssh-agent -c rm x",
    "chronic -ev rm x",
    "sshpass -p a rm x",
    "dotenv -f f -- rm x",
  ])("still shows it to deny and ask rules: %j", (command) => {
    const { parts } = analyzeShell(command);
    expect(parts[0]?.opaque).not.toBeNull();
    expect(parts.map(({ text }) => text)).toContain("rm x");
  });

  it.each(["tcpdump -z rm", "tcpdump -i a -z rm"])("shows the program of an option: %j", (command) => {
    expect(analyzeShell(command).parts.map(({ program }) => program)).toContain("rm");
  });

  it.each(["bc", "bc -l f", "dc", "run-parts d"])("is opaque where it runs its input: %j", (command) => {
    expect(analyzeShell(command).opaque).not.toBeNull();
  });
});

describe("a package runner", () => {
  const rules = definePermissions({
    allow: ["Shell(npx tsc:*)", "Shell(npx:*)", "Shell(pnpm:*)", "Shell(uvx:*)"],
    deny: ["Shell(canary:*)"],
  }).rules;
  const effectOf = (command: string): string =>
    evaluateRules({ rules, call: { tool: "Bash", input: { command } } }).effect;

  it.each(["npx canary x", "npx -y canary", "pnpm dlx canary", "pnpm exec canary x", "uvx canary"])(
    "asks where a deny is about a word of it: %j",
    (command) => {
      expect(effectOf(command)).toBe("ask");
    },
  );

  it("is allowed by its own text otherwise", () => {
    expect(effectOf("npx tsc --noEmit")).toBe("allow");
  });
});
