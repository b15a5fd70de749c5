import { describe, expect, it } from "vitest";
import { parsed } from "../support/rules-of.js";

const CLAUDE = { path: "/c/settings.json", form: "claude" } as const;
const JSON_FILE = { path: "/c/settings.json" };

describe("a file that is nobody's permissions, as a link may lead to one", () => {
  it.each([
    ["a list of users", "root:x:0:0:secret:/root:/bin/sh\nb:x:1:1:secret:/:/bin/sh\n", {}],
    ["one line of text", "secret", {}],
    ["a list", "- secret", {}],
    ["a key and its value", "secret: secret", {}],
    ["a key that is repeated", "secret: 1\nsecret: 2", {}],
    ["permissions that are a text", "permissions: secret", {}],
    ["no JSON", "secret", JSON_FILE],
    ["JSON of other keys", '{"secret": "secret"}', JSON_FILE],
    ["JSON of other keys, for Claude settings", '{"secret": "secret"}', CLAUDE],
    ["a list, for Claude settings", '["secret"]', CLAUDE],
    ["no UTF-8", "secret \0", {}],
  ])("has nothing of its text in its problems: %s", (_, text, file) => {
    const set = parsed(text, file);
    expect(set.problems.length).toBeGreaterThan(0);
    expect(set.problems.every(({ line, column }) => line !== undefined && column !== undefined)).toBe(true);
    expect(JSON.stringify([set.problems, set.failClosed])).not.toContain("secret");
  });
});

it.each([
  ["permissions: {}\ntoken: secret", {}],
  ['{"permissions": {}, "env": {"TOKEN": "secret"}}', CLAUDE],
])("names only the key of what is no rule: %s", (text, file) => {
  const { problems } = parsed(text, file);
  expect(problems.map((problem) => problem.text)).toEqual([expect.stringMatching(/^(?:token|env)$/)]);
  expect(JSON.stringify(problems)).not.toContain("secret");
});
