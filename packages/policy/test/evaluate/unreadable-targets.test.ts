import type { JsonValue, Rule } from "@x/permission-core";
import { expect, it } from "vitest";
import { evaluateRules } from "../../src/evaluate/evaluate-rules.js";
import { builtinRules } from "../../src/policy/builtin-rules.js";
import { definePermissions } from "../../src/policy/define-permissions.js";

const decide = (rules: readonly Rule[], tool: string, input: JsonValue) =>
  evaluateRules({ rules, call: { tool, input } });

it.each<[allowed: string, tool: string, input: JsonValue]>([
  ["Write(**)", "Write", { notebook_path: "/etc/passwd" }],
  ["Write(**)", "Write", { path: "src/a", file_path: [["/etc/passwd"]] }],
  ["Edit(*)", "Edit", { path: [["/etc/passwd"]] }],
  ["Copy(**)", "Copy", { source: "a", target: "/etc/x" }],
  ["Move(**)", "Move", { from: "a", to: "b" }],
  ["Remove(**)", "Remove", { paths: ["/etc/x"] }],
])(
  "asks where an allow of %s meets a call that names no path which can be read: %s",
  (allowed, tool, input) => {
    expect(decide(definePermissions({ allow: [allowed] }).rules, tool, input).effect).toBe("ask");
    expect(decide(definePermissions({ allow: [tool] }).rules, tool, input).effect).toBe("allow");
  },
);

it.each<[demand: string, tool: string, kind: string]>([
  ["fetch(domain:evil.com)", "fetch", "WebFetch"],
  ["edit_file(secret/**)", "edit_file", "Edit"],
])(
  "asks where a deny of %s names the tool and not its kind, and the call names no target",
  (denied, tool, kind) => {
    const { rules } = definePermissions({ deny: [denied], allow: [kind] });
    const decision = evaluateRules({ rules, call: { tool, kind, input: {} } });
    expect(decision).toMatchObject({ effect: "ask", configuredAsk: true });
  },
);

it.each<[demand: { deny?: string[]; ask?: string[] }, tool: string, input: JsonValue, effect: string]>([
  [{ deny: ["WebFetch(domain:evil.com)"] }, "WebFetch", { url: [["https://evil.com/x"]] }, "deny"],
  [{ deny: ["WebFetch(domain:evil.com)"] }, "WebFetch", { uri: "https://evil.com" }, "ask"],
  [{ deny: ["WebFetch(domain:evil.com)"] }, "WebFetch", {}, "ask"],
  [{ ask: ["WebSearch(*secret*)"] }, "WebSearch", { query: ["secret", 1] }, "ask"],
  [{ deny: ["mcp__db__query(*DROP*)"] }, "mcp__db__query", { sql: "DROP" }, "ask"],
])(
  "does not allow where %j speaks of a target, and the call names none that can be read",
  (demand, tool, input, effect) => {
    const { rules } = definePermissions({ ...demand, allow: ["mcp__db"] });
    const decision = decide([...rules, ...builtinRules()], tool, input);
    expect(decision).toMatchObject({ effect, configuredAsk: effect === "ask" });
  },
);
