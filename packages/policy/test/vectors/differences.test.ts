import { describe, expect, it } from "vitest";
import { evaluateRules, explainRules } from "../../src/index.js";
import { allow, deny } from "../evaluate/rule-samples.js";

describe("where the reference answers otherwise", () => {
  it("[mecatl/evaluate/64-learned-star-matches-its-own-literal] a program with a wildcard asks, whatever was learned", () => {
    const learned = [allow("Shell(git*)", { exact: true })];
    const request = { rules: [], learned, call: { tool: "Shell", input: { command: "git*" } } };
    expect(evaluateRules(request)).toMatchObject({ effect: "ask", rule: null, basis: "opaque" });
    expect(explainRules(request).parts[0]?.matched).toMatchObject([{ place: "learned[0]", decided: false }]);
    const denied = { ...request, rules: [deny("Shell(git*)")] };
    expect(evaluateRules(denied).effect).toBe("deny");
  });

  it("[mecatl/evaluate/85-imported-domain-form-never-equals-a-url] a domain is that host and its subdomains", () => {
    const rules = [allow("WebFetch(domain:example.com)")];
    const effect = (url: string) =>
      evaluateRules({ rules, call: { tool: "WebFetch", input: { url } } }).effect;
    expect(effect("https://example.com/")).toBe("allow");
    expect(effect("https://docs.example.com/a")).toBe("allow");
    expect(effect("https://example.org/")).toBe("ask");
  });
});
