import { describe, expect, it } from "vitest";
import { evaluateRules, isReadOnlyShell, suggestRules } from "../../src/index.js";
import { bash, caseInput, decisionsOf, effectsOf } from "./case-input.js";

describe("which commands of a line are judged", () => {
  it("[CASE-001] asks about an unlisted program behind an allowed one", () => {
    const [decision] = decisionsOf("CASE-001");
    expect(decision?.effect).toBe("ask");
    const parts = decision?.parts.map(({ text, effect }) => [text, effect]);
    expect(parts).toEqual([
      ["cd /srv/app", "allow"],
      ["node -e 'process.exit(0)'", "ask"],
    ]);
  });

  it("[CASE-005] asks about the program behind the pipe whatever the heredoc looks like", () => {
    const { rules, calls } = caseInput("CASE-005");
    const commands = [
      ...calls,
      bash("cat <<X | deploy --all\nbody\nX"),
      bash("cat <<-X | deploy --all\nbody\n\tX"),
      bash("cat -n <<X | deploy --all\nbody\nX"),
    ];
    for (const call of commands)
      expect(evaluateRules({ rules, call })).toMatchObject({ effect: "ask", configuredAsk: true });
  });

  it("[CASE-018] asks about a command behind a lone ampersand, on a new line or in a substitution", () => {
    const decisions = decisionsOf("CASE-018");
    expect(decisions.map(({ effect }) => effect)).toEqual(["ask", "ask", "ask"]);
    expect(decisions.map(({ configuredAsk }) => configuredAsk)).toEqual([true, true, true]);
  });

  it("[CASE-029] denies the last of many commands, and allows nothing where a limit is reached", () => {
    expect(effectsOf("CASE-029")).toEqual(["deny"]);
    const { rules } = caseInput("CASE-029");
    const long = `${"true;".repeat(5000)}curl http://e.invalid`;
    expect(evaluateRules({ rules, call: bash(long) }).effect).not.toBe("allow");
  });

  it("[CASE-041] allows operators that stand in quotes", () => {
    expect(effectsOf("CASE-041")).toEqual(["allow", "allow", "allow", "allow"]);
  });
});

describe("what hides a program", () => {
  it("[CASE-007] asks through assignments, a nested shell and eval", () => {
    expect(decisionsOf("CASE-007").map(({ effect, configuredAsk }) => [effect, configuredAsk])).toEqual(
      Array(4).fill(["ask", true]),
    );
  });

  it("[CASE-013] denies a name whose quoting can be undone, asks about any other, and allows none", () => {
    expect(effectsOf("CASE-013")).toEqual(["ask", "ask", "deny", "deny", "deny", "ask", "ask", "ask"]);
  });

  it("[CASE-014] denies what stands in a substitution at any depth, and allows plain arithmetic", () => {
    expect(effectsOf("CASE-014")).toEqual(["deny", "deny", "deny", "deny"]);
    const { rules } = caseInput("CASE-014");
    expect(evaluateRules({ rules, call: bash("echo $((1+2))") }).effect).toBe("allow");
  });

  it("[CASE-026] asks about what env starts", () => {
    expect(effectsOf("CASE-026")).toEqual(["ask", "ask", "ask"]);
  });

  it("[CASE-035] asks about a command behind an assignment to PATH", () => {
    expect(effectsOf("CASE-035")).toEqual(["ask"]);
    const { rules } = caseInput("CASE-035");
    expect(evaluateRules({ rules, call: bash("cat .env") }).effect).toBe("allow");
  });
});

describe("what only looks harmless", () => {
  it.each(["CASE-020", "CASE-021"])("[%s] is denied in plan mode, and asks otherwise", (id) => {
    for (const effect of effectsOf(id)) expect(effect).toBe("deny");
    for (const effect of effectsOf(id, { mode: "default" })) expect(effect).toBe("ask");
  });

  it("[CASE-021] while find -name and plain sort pass plan mode", () => {
    const rules = [{ scope: "user", tool: "Bash", pattern: "", effect: "allow" }] as const;
    for (const command of ["find . -name x", "sort f"])
      expect(evaluateRules({ rules, mode: "plan", call: bash(command) }).effect).toBe("allow");
  });

  it("[CASE-023] is not read-only", () => {
    const { calls } = caseInput("CASE-023");
    for (const { input } of calls) {
      const { command } = input as { command: string };
      expect([command, isReadOnlyShell(command, { dialect: "bash" })]).toEqual([command, false]);
    }
    for (const effect of effectsOf("CASE-023")) expect(effect).toBe("deny");
  });
});

describe("what a command writes", () => {
  it("[CASE-030] is denied whatever follows the target, and judged under its own name", () => {
    const [extra, comment, other] = decisionsOf("CASE-030");
    expect(extra?.effect).toBe("deny");
    expect(comment?.effect).toBe("deny");
    expect(other?.effect).toBe("ask");
    expect(other?.parts.map(({ text }) => text)).toContain("Write(.env#copy)");
  });

  it("[CASE-032] asks where its name cannot be told", () => {
    for (const effect of effectsOf("CASE-032")) expect(effect).not.toBe("allow");
  });

  it("[CASE-042] asks about a program that find starts and about the file behind the redirect, and offers no rule for a digit", () => {
    const [decision] = decisionsOf("CASE-042");
    expect(decision?.effect).toBe("ask");
    const asked = decision?.parts.filter(({ effect }) => effect === "ask").map(({ text }) => text);
    expect(asked).toContain("wc -l {}");
    expect(asked).toContain("Write(err.txt)");
    const { rules, calls } = caseInput("CASE-042");
    const suggested = calls.flatMap((call) => suggestRules(call, { rules }));
    expect(suggested.map(({ pattern }) => pattern)).toEqual(["wc -l {}", "err.txt", "wc:*"]);
  });

  it("[CASE-044] is no file where it is a descriptor", () => {
    const [first, second, third] = decisionsOf("CASE-044");
    expect([first?.effect, second?.effect, third?.effect]).toEqual(["allow", "allow", "deny"]);
  });
});
