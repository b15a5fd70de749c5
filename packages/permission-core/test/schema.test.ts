import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAskAnswer, parsePendingAsk } from "../src/ask-schema.js";
import { isPermissionGateError } from "../src/errors.js";
import { parseGateDecision, parseGateEvent } from "../src/gate-decision-schema.js";
import { parseGrant } from "../src/grant-schema.js";
import { parsePermissionDecision, parseRule } from "../src/policy-schema.js";

const record = {
  tool: "shell",
  args_digest: "f1ed61cd8ca5e26b",
  verdict: "ask_denied",
  rule_id: "ask",
  rule_source: "ask_resolver",
  matched_pattern: null,
  reason: "denied by user",
  ts: 1_700_000_000_000,
};
const event = {
  session_id: "s",
  run_id: "r",
  turn: 0,
  call_id: "c",
  agent: null,
  decision: record,
  trail: [record],
  effective_args_digest: null,
  ask_id: "a",
  decided_by: "someone",
};
const ask = {
  id: "a",
  session_id: "s",
  run_id: "r",
  turn: 3,
  call_id: "c",
  tool: "shell",
  args_digest: "f1ed61cd8ca5e26b",
  prompt: "run it?",
  details: "npm test",
  expires_at_ms: 0,
  descriptor_digest: "d",
  descriptor_changed: false,
  agent: "main",
  configured_ask: true,
  floored_configured_allow: false,
  rememberable: ["session", "this_call"],
};
const grant = {
  id: "8958f76425c235ce",
  tool: "shell",
  verdict: "Allow",
  scope: { this_call: { args: { b: [null, 1.5, "x"], a: {} } } },
  pinned_descriptor: null,
  created_at_ms: 1000,
  note: null,
  pinned_fingerprint: "sha256:00",
  expires_at_ms: 2000,
  granted_by: "someone",
};
const rule = {
  scope: "user",
  tool: "Bash",
  pattern: "npm *",
  effect: "ask",
  exact: false,
  audience: "main",
  id: "r1",
  reason: "because",
  origin: { file: "settings.json", line: 4 },
};
const decision = {
  effect: "ask",
  reason: "because",
  rule,
  configuredAsk: true,
  flooredConfiguredAllow: false,
  parts: [{ text: "npm test", effect: "ask", rule: null, reason: "no rule" }],
};

const forms: readonly [name: string, parse: (value: unknown) => unknown, full: object][] = [
  ["gate decision", parseGateDecision, record],
  ["gate event", parseGateEvent, event],
  ["ask", parsePendingAsk, ask],
  ["grant", parseGrant, grant],
  ["rule", parseRule, rule],
  ["permission decision", parsePermissionDecision, decision],
];

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isPermissionGateError(error, "bad_record")) return error.message;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe.each(forms)("%s", (name, parse, full) => {
  const text = JSON.stringify(full);

  it("serialises to the bytes it was read from", () => {
    expect(JSON.stringify(parse(JSON.parse(text)))).toBe(text);
  });

  it("puts the fields in their order, whatever the order they came in", () => {
    const reversed = Object.fromEntries(Object.entries(full).reverse());
    expect(JSON.stringify(parse(reversed))).toBe(text);
  });

  it("drops unknown fields, those with hostile names included", () => {
    const hostile = `{"__proto__":{"verdict":"allow","note":"x"},"constructor":1,"toString":null,"x":1,${text.slice(1)}`;
    expect(JSON.stringify(parse(JSON.parse(hostile)))).toBe(text);
  });

  it("does not read inherited fields", () => {
    expect(messageOf(() => parse(Object.create(full)))).toMatch(new RegExp(`^${name}\\.`));
    const [first = ""] = Object.keys(full);
    const hostile = JSON.parse(`{"__proto__":${text}}`) as object;
    expect(messageOf(() => parse(hostile))).toContain(`${name}.${first}: `);
    expect(messageOf(() => parse({ ...hostile, ...JSON.parse("{}") }))).toContain(`${name}.${first}: `);
  });

  it.each([[undefined], [null], [0], ["x"], [[]], [[full]], [() => full]])("refuses %j", (value) => {
    expect(messageOf(() => parse(value))).toContain(`${name}: `);
  });

  it("names the field that is missing or of the wrong type", () => {
    for (const key of Object.keys(full)) {
      expect(messageOf(() => parse({ ...full, [key]: Symbol("x") }))).toContain(`${name}.${key}`);
    }
  });

  it("reads null as absent and absent as null", () => {
    for (const key of Object.keys(full)) {
      const { [key]: _, ...without } = full as { [key: string]: unknown };
      const outcome = (value: unknown) => {
        try {
          return JSON.stringify(parse(value));
        } catch (error) {
          return (error as Error).message;
        }
      };
      expect(outcome({ ...full, [key]: null })).toBe(outcome(without));
      expect(outcome({ ...full, [key]: undefined })).toBe(outcome(without));
    }
  });

  it("wraps what a hostile getter throws", () => {
    const [first = ""] = Object.keys(full);
    const hostile = Object.defineProperty({ ...full }, first, {
      enumerable: true,
      get() {
        throw new Error("boo");
      },
    });
    expect(messageOf(() => parse(hostile))).toBe(`${name}: cannot be read`);
  });

  it("either reads or refuses with bad_record, whatever it is given", () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, -0, Number.NaN, 2 ** 60, -1));
    const near = fc.record(
      Object.fromEntries(
        Object.entries(full).map(([key, value]) => [
          key,
          fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, field),
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(near, fc.anything()), (value) => {
        try {
          const once = JSON.stringify(parse(value));
          expect(JSON.stringify(parse(JSON.parse(once)))).toBe(once);
        } catch (error) {
          if (!isPermissionGateError(error, "bad_record")) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("wire spellings", () => {
  it("writes absent options of a record as null", () => {
    const { matched_pattern: _, reason: __, ...short } = record;
    expect(JSON.stringify(parseGateDecision(short))).toBe(
      JSON.stringify({ ...short, matched_pattern: null, reason: null, ts: undefined }).replace(
        "}",
        `,"ts":${record.ts}}`,
      ),
    );
  });

  it("writes absent options of a grant as null and leaves unset additions out", () => {
    const minimal = { id: "x", tool: "t", verdict: "Allow", scope: "this_tool", created_at_ms: 5, extra: 1 };
    expect(JSON.stringify(parseGrant(minimal))).toBe(
      '{"id":"x","tool":"t","verdict":"Allow","scope":"this_tool","pinned_descriptor":null,"created_at_ms":5,"note":null}',
    );
  });

  it.each(["Deny ", "DENY", "ask-denied", "AskDenied", "", "constructor", "__proto__"])(
    "refuses the verdict %j",
    (verdict) => {
      expect(messageOf(() => parseGateDecision({ ...record, verdict }))).toMatch(/^gate decision\.verdict: /);
    },
  );

  it.each(["allow", "deny", "ALLOW", "Approve"])("refuses the grant verdict %j", (verdict) => {
    expect(messageOf(() => parseGrant({ ...grant, verdict }))).toMatch(/^grant\.verdict: /);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "5", 5n])(
    "refuses the time %s",
    (time) => {
      expect(messageOf(() => parseGrant({ ...grant, created_at_ms: time }))).toMatch(
        /^grant\.created_at_ms: /,
      );
      expect(messageOf(() => parseGateDecision({ ...record, ts: time }))).toMatch(/^gate decision\.ts: /);
      expect(messageOf(() => parsePendingAsk({ ...ask, turn: time }))).toMatch(/^ask\.turn: /);
    },
  );

  it("requires created_at_ms", () => {
    const { created_at_ms: _, ...without } = grant;
    expect(messageOf(() => parseGrant(without))).toMatch(/^grant\.created_at_ms: /);
  });

  it("takes ids of up to 128 characters, counted as code points", () => {
    expect(parsePendingAsk({ ...ask, id: "😀".repeat(128) }).id).toHaveLength(256);
    expect(messageOf(() => parsePendingAsk({ ...ask, id: "x".repeat(129) }))).toMatch(/^ask\.id: .*128/);
    expect(messageOf(() => parsePendingAsk({ ...ask, session_id: "😀".repeat(129) }))).toMatch(
      /^ask\.session_id: /,
    );
    expect(messageOf(() => parseGateEvent({ ...event, run_id: "x".repeat(1e6) }))).toMatch(
      /^gate event\.run_id: /,
    );
  });

  it("sets no limit to the ids that model providers choose", () => {
    expect(parsePendingAsk({ ...ask, call_id: "c".repeat(5000) }).call_id).toHaveLength(5000);
  });

  it.each([
    [{ ...grant, id: 7 }, "grant.id: is not of type string"],
    [{ ...grant, id: undefined }, "grant.id: is not of type string"],
    [{ ...grant, verdict: "allow" }, 'grant.verdict: is none of "Allow", "Deny"'],
    [{ ...grant, created_at_ms: -1 }, "grant.created_at_ms: is below 0"],
    [{ ...grant, created_at_ms: 0.5 }, "grant.created_at_ms: is not of type int"],
    [{ ...grant, created_at_ms: 2 ** 60 }, "grant.created_at_ms: is above 9007199254740991"],
    [{ ...grant, scope: "all" }, "grant.scope: is not valid"],
    [{ ...grant, scope: { this_call: {} } }, "grant.scope.this_call.args: Not a JSON value: undefined at $"],
    ["grant", "grant: is not of type object"],
  ])("says what is wrong: %#", (value, message) => {
    expect(messageOf(() => parseGrant(value))).toBe(message);
  });

  it.each(["approve", "", 1, true, null, undefined])(
    "says what an answer is, of what is none: %j",
    (value) => {
      const message = 'answer: is neither "Approve", "Deny" nor an object';
      expect(messageOf(() => parseAskAnswer(value))).toBe(message);
    },
  );

  it("names the place inside a list", () => {
    const bad = { ...event, trail: [record, { ...record, ts: -1 }] };
    expect(messageOf(() => parseGateEvent(bad))).toMatch(/^gate event\.trail\.1\.ts: /);
  });
});

describe("scopes", () => {
  it.each<unknown>([null, 0, "", [], {}, [{}], { constructor: 1 }])("keeps the arguments %j", (args) => {
    const parsed = parseGrant({ ...grant, scope: { this_call: { args } } });
    expect(JSON.stringify(parsed.scope)).toBe(JSON.stringify({ this_call: { args } }));
  });

  it("copies the arguments", () => {
    const args = { list: [1] };
    const parsed = parseGrant({ ...grant, scope: { this_call: { args } } });
    args.list.push(2);
    expect(parsed.scope).toEqual({ this_call: { args: { list: [1] } } });
  });

  it("keeps an own __proto__ key of the arguments", () => {
    const text = '{"this_call":{"args":{"__proto__":{"a":1}}}}';
    expect(JSON.stringify(parseGrant({ ...grant, scope: JSON.parse(text) }).scope)).toBe(text);
  });

  it.each([
    ["this_session", /^grant\.scope: /],
    [{ this_call: {} }, /^grant\.scope\.this_call\.args: /],
    [{ this_call: null }, /^grant\.scope\.this_call: /],
    [{}, /^grant\.scope\.this_call: /],
    [{ this_tool: null }, /^grant\.scope\.this_call: /],
    [{ this_call: { args: 1 }, this_host: {} }, /^grant\.scope: /],
    [{ this_call: { args: 1n } }, /^grant\.scope\.this_call\.args: /],
    [{ this_call: { args: "\ud800" } }, /^grant\.scope\.this_call\.args: /],
    [["this_tool"], /^grant\.scope/],
  ])("refuses %o", (scope, message) => {
    expect(messageOf(() => parseGrant({ ...grant, scope }))).toMatch(message);
  });
});

describe("answers", () => {
  it("gives the bare words their object form", () => {
    expect(parseAskAnswer("Approve")).toEqual({ resolution: "Approve" });
    expect(parseAskAnswer("Deny")).toEqual({ resolution: "Deny" });
  });

  it.each([
    "approve",
    "APPROVE",
    "Yes",
    "",
    "Approve ",
    true,
    1,
    null,
    undefined,
    {},
    [],
    ["Approve"],
    { resolution: true },
  ])("refuses %j", (value) => {
    expect(messageOf(() => parseAskAnswer(value))).toMatch(/^answer/);
  });

  it.each([
    { resolution: "Approve" },
    { reason: "fine", decided_by: "someone", ask_id: "a", resolution: "Approve", remember: "session" },
    { resolution: "Approve", remember: "this_call", remember_until_ms: 5 },
    { resolution: "Approve", modified_input: null },
    { reason: "narrower", resolution: "Approve", modified_input: { path: "/tmp" } },
    { reason: "no", resolution: "Deny", remember: "this_tool", remember_until_ms: 0 },
  ])("reads %j and writes the same bytes", (answer) => {
    expect(JSON.stringify(parseAskAnswer(JSON.parse(JSON.stringify(answer))))).toBe(JSON.stringify(answer));
  });

  it.each([
    [{ resolution: "Approve", modified_input: null, remember: "this_call" }, "remember"],
    [{ resolution: "Approve", modified_input: 1, remember_until_ms: 1 }, "remember_until_ms"],
    [{ resolution: "Deny", modified_input: null }, "modified_input"],
    [{ resolution: "Deny", remember: "session" }, "remember"],
    [{ resolution: "Approve", remember: "forever" }, "remember"],
    [{ resolution: "Approve", modified_input: () => 1 }, "modified_input"],
    [{ resolution: "Approve", modified_input: Number.NaN }, "modified_input"],
    [{ resolution: "Approve", ask_id: "x".repeat(129) }, "ask_id"],
    [{ resolution: "Approve", remember_until_ms: -1 }, "remember_until_ms"],
  ])("refuses %o and names the field", (answer, field) => {
    expect(messageOf(() => parseAskAnswer(answer))).toContain(`answer.${field}: `);
  });

  it("does not read an inherited resolution", () => {
    expect(messageOf(() => parseAskAnswer(Object.create({ resolution: "Approve" })))).toContain(
      "answer.resolution",
    );
    expect(messageOf(() => parseAskAnswer(JSON.parse('{"__proto__":{"resolution":"Approve"}}')))).toContain(
      "resolution",
    );
  });

  it("counts null and undefined as absent, except for the modified input, whose null is a value", () => {
    const nulls = { reason: null, decided_by: null, ask_id: null, remember: null, remember_until_ms: null };
    expect(parseAskAnswer({ ...nulls, resolution: "Deny", modified_input: undefined })).toEqual({
      resolution: "Deny",
    });
    expect(parseAskAnswer({ ...nulls, resolution: "Approve", modified_input: null })).toEqual({
      resolution: "Approve",
      modified_input: null,
    });
  });

  it("copies the modified input", () => {
    const modified_input = { list: [1] };
    const answer = parseAskAnswer({ resolution: "Approve", modified_input });
    modified_input.list.push(2);
    expect(answer.modified_input).toEqual({ list: [1] });
  });
});
