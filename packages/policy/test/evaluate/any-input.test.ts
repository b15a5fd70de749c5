import type { JsonValue } from "@x/permission-core";
import { memoryWorkspace } from "@x/permission-core/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { evaluateRules, learnRule, suggestRules } from "../../src/index.js";
import { allow, ask, deny } from "./rule-samples.js";

const workspace = memoryWorkspace({ "/w/link": { link: "/etc" }, "/w/loop": { link: "/w/loop" } });
const rules = [
  deny("Read(secret/**)"),
  deny("Bash(*--force*)"),
  ask("Write(**/.env)"),
  ask("WebFetch(domain:example.com)"),
  allow("Bash(echo:*)"),
  allow("Query(a*)"),
];

const tool = fc.constantFrom(
  "Bash",
  "Shell",
  "Read",
  "Write",
  "Edit",
  "Grep",
  "Glob",
  "Copy",
  "Move",
  "WebFetch",
  "Query",
  "__proto__",
  "",
);
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        "echo",
        " ",
        "$(",
        ")",
        "`",
        "'",
        '"',
        ">",
        "|",
        "&&",
        "secret/a",
        "..",
        "/",
        "\\",
        "~",
        "{",
        "<<E\n",
        "\n",
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join("")),
);
const key = fc.constantFrom(
  "command",
  "cmd",
  "path",
  "file_path",
  "url",
  "query",
  "pattern",
  "source",
  "destination",
  "__proto__",
);
const input = fc.oneof(
  fc.dictionary(key, fc.oneof(text, fc.array(text, { maxLength: 2 }), fc.integer(), fc.constant(null))),
  fc.jsonValue(),
) as fc.Arbitrary<JsonValue>;
const mode = fc.constantFrom("default" as const, "plan" as const, "accept-edits" as const);

it("never throws, whatever a call holds, and decides the same again", () => {
  fc.assert(
    fc.property(tool, input, mode, fc.boolean(), (name, value, inMode, withWorkspace) => {
      const request = {
        rules,
        mode: inMode,
        call: { tool: name, input: value },
        ...(withWorkspace ? { workspace } : {}),
      };
      const decision = evaluateRules(request);
      expect(evaluateRules(request)).toEqual(decision);
      expect(decision.configuredAsk && decision.flooredConfiguredAllow).toBe(false);
      expect(decision.effect === "ask" || !(decision.configuredAsk || decision.flooredConfiguredAllow)).toBe(
        true,
      );
      learnRule(request.call, withWorkspace ? { workspace } : {});
      suggestRules(request.call);
    }),
    { numRuns: 3000 },
  );
});

it("allows nothing where no rule does, and lets a deny of everything deny everything", () => {
  fc.assert(
    fc.property(tool, input, (name, value) => {
      const call = { tool: name, input: value };
      expect(evaluateRules({ rules: [], call, workspace }).effect).toBe("ask");
      expect(evaluateRules({ rules: [allow(""), deny("")], call, workspace }).effect).toBe("deny");
    }),
    { numRuns: 2000 },
  );
});

it("learns nothing that would not allow the same call, addresses apart that are none", () => {
  fc.assert(
    fc.property(tool, input, (name, value) => {
      const call = { tool: name, input: value };
      const rule = learnRule(call, { workspace });
      if (rule === null || name === "WebFetch" || (isObject(value) && "url" in value)) return;
      const decision = evaluateRules({
        rules: [allow("Write"), allow("Remove")],
        learned: [rule],
        call,
        workspace,
      });
      expect([call, decision.effect]).toEqual([call, "allow"]);
    }),
    { numRuns: 2000 },
  );
});

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
