import type { RuleEffect } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileUrlPattern } from "../../src/patterns/compile-pattern.js";

const matches = (pattern: string, address: string, effect?: RuleEffect) =>
  compileUrlPattern(pattern, effect === undefined ? {} : { effect }).matches(address);

describe("a pattern of a domain", () => {
  it.each([
    ["https://example.com/x", true],
    ["https://example.com", true],
    ["http://EXAMPLE.com:8080/x", true],
    ["https://api.example.com/", true],
    ["https://a.b.example.com./", true],
    ["example.com/x", true],
    ["//example.com/x", true],
    ["example.com:8080/x", true],
    ["HTTP://example.com/x", true],
    ["https://notexample.com/", false],
    ["https://example.com.evil.org/", false],
    ["https://evil.org/example.com", false],
    ["https://evil.org/?u=https://example.com/", false],
    ["https://evil.org#@example.com", false],
    ["mailto:someone@example.org", false],
    ["data:text/html,example.com", false],
  ])("example.com on %j: %s, whatever the effect", (address, expected) => {
    expect(matches("domain:example.com", address)).toBe(expected);
    expect(matches("domain:example.com", address, "allow")).toBe(expected);
    expect(matches("domain:example.com", address, "deny")).toBe(expected);
  });

  it.each(["ftp://example.com/x", "ssh://example.com/", "ws://example.com/", "wss://example.com/"])(
    "on %j, which is no address of http or https: denies and does not allow",
    (address) => {
      expect(matches("domain:example.com", address)).toBe(false);
      expect(matches("domain:example.com", address, "allow")).toBe(false);
      expect(matches("domain:example.com", address, "deny")).toBe(true);
      expect(matches("domain:example.com", address, "ask")).toBe(true);
    },
  );

  it.each([
    "https://example.com\\@evil.org/",
    "https://example.com@evil.org/",
    "https://evil.org\\@example.com/",
    "https://evil.org@example.com/",
    "https://example.com:80@evil.org/",
    "https:\\\\evil.org\\@example.com/",
  ])("on %j, which leads elsewhere for some: allows neither host and denies both", (address) => {
    for (const host of ["example.com", "evil.org"]) {
      expect(matches(`domain:${host}`, address, "allow")).toBe(false);
      expect(matches(`domain:${host}`, address, "deny")).toBe(true);
    }
  });

  it.each(["", "not an address", "file:///example.com", `https://evil.org/${"x".repeat(9000)}`])(
    "on %j, whose host nobody can tell: allows nothing, and denies it",
    (address) => {
      expect(matches("domain:example.com", address, "allow")).toBe(false);
      expect(matches("domain:example.com", address, "ask")).toBe(true);
      expect(matches("domain:example.com", address, "deny")).toBe(true);
    },
  );

  it.each([
    "evil.org/?u=://",
    "//evil.org/?u=://",
    "evil.org:443/?u=http://x",
    "evil.org/#://",
    "view-source:https://evil.org/",
    "feed:https://evil.org/",
    "feed://evil.org/",
    "url:evil.org",
    "blob:https://evil.org/1",
    "jar:https://evil.org/x.jar!/",
    "view-source:view-source:https://evil.org/",
    `${"view-source:".repeat(20)}https://evil.org/`,
    "foo://evil%2eorg/",
    "https://evil\u3002org/",
    " https://evil.org/",
    "https:evil.org",
    "https:/evil.org\\@example.com",
  ])("denies %j by its host", (address) => {
    expect(matches("domain:evil.org", address, "deny")).toBe(true);
  });

  it.each([
    "example.com\\@evil.org",
    "https:example.com\\@evil.org",
    "https:/example.com\\@evil.org",
    "javascript://example.com/%0aalert()",
    "javascript:1/alert()",
    "file://example.com/etc/passwd",
    "view-source:https://example.com/",
    "https:example.com",
    "https:///example.com/",
    "https://example%2ecom/",
    "https://example\u3002com/",
    "https://\uff45xample.com/",
    "http://0x7f.1/",
    "mailto:someone@example.com",
    " https://example.com/",
  ])("allows no %j, which some read otherwise", (address) => {
    for (const host of ["example.com", "evil.org", "127.0.0.1", "*"])
      expect(matches(`domain:${host}`, address, "allow")).toBe(false);
  });

  it.each(["domain:", "domain: ", "domain:.", "domain: .. "])(
    "%j allows nothing, and denies all",
    (pattern) => {
      for (const address of ["https://example.com/", "https://example.com./", "mailto:x", "", "x."]) {
        expect(matches(pattern, address, "allow")).toBe(false);
        expect(matches(pattern, address, "ask")).toBe(true);
        expect(matches(pattern, address, "deny")).toBe(true);
      }
    },
  );

  it("is spelled in any case, with a dot at its end, or in another script", () => {
    expect(matches("domain:Example.COM.", "https://example.com/")).toBe(true);
    expect(matches("domain:b\u00fccher.example", "https://xn--bcher-kva.example/")).toBe(true);
    expect(matches("domain:xn--bcher-kva.example", "https://B\u00dcCHER.example/")).toBe(true);
    expect(matches("domain:127.0.0.1", "http://0x7f.1/", "deny")).toBe(true);
    expect(matches("domain:[::1]", "http://[0:0::1]:80/", "deny")).toBe(true);
    expect(matches("domain:[::1]", "http://[::1]:80/")).toBe(true);
    expect(matches("domain:localhost", "localhost:3000/x")).toBe(true);
  });

  it("may hold wildcards", () => {
    expect(matches("domain:*.example.com", "https://api.example.com/")).toBe(true);
    expect(matches("domain:*.example.com", "https://example.com/")).toBe(false);
    expect(matches("domain:*", "https://anything.org/")).toBe(true);
    expect(matches("domain:*", "mailto:x")).toBe(false);
  });

  it("is a text like any other where it is exact", () => {
    const exact = compileUrlPattern("domain:example.com", { exact: true });
    expect(exact.matches("domain:example.com")).toBe(true);
    expect(exact.matches("https://example.com/")).toBe(false);
  });
});

describe("a pattern of an address", () => {
  it.each([
    ["https://example.com/docs/*", "https://example.com/docs/a", true, true],
    ["https://example.com/docs/*", "https://example.com/docs/../admin", false, true],
    ["https://example.com/admin*", "https://example.com/docs/../admin", false, true],
    ["https://example.com/docs/*", "https://example.com/docs/%2E%2e/admin", false, true],
    ["https://example.com/docs/*", "https://example.com/docs\\..\\..\\admin", false, false],
    ["https://example.com/docs/*", "https://example.com/docs/\t../admin", false, true],
    ["https://example.com/*", "HTTPS://EXAMPLE.com/x", false, true],
    ["https://example.com/*", "https://example.com:443/x", false, true],
    ["https://example.com", "https://example.com", true, true],
    ["https://example.com/*", "https://example.com@evil.org/", false, false],
    ["https://example.com*", "https://example.com@evil.org/", true, true],
    ["*", "anything", true, true],
    ["", "anything", true, true],
  ])("%s on %j: an allow %s, a deny %s", (pattern, address, allows, denies) => {
    expect(matches(pattern, address, "allow")).toBe(allows);
    expect(matches(pattern, address)).toBe(allows);
    expect(matches(pattern, address, "deny")).toBe(denies);
  });

  it.each([
    "https://evil.com/admin",
    "https://u@evil.com/admin",
    "https://u:p@evil.com./admin/x",
    "https://evil.com./admin",
    "https://evil.com/%61dmin",
    "https://evil.com/docs/..%2fadmin",
    "HTTPS://EVIL.com/admin",
    "evil.com/admin?u=://",
    "//evil.com/admin",
    "view-source:https://evil.com/admin",
    `https://${"u".repeat(9000)}@evil.com/admin`,
    `${"view-source:".repeat(20)}https://evil.com/admin`,
  ])("denies %j, which is the same for a server, and allows it only as it is written", (address) => {
    for (const pattern of ["https://evil.com/admin*", "HTTPS://Evil.com/%61dmin*"])
      expect(matches(pattern, address, "deny")).toBe(true);
    expect(matches("https://evil.com/admin*", address, "allow")).toBe(address === "https://evil.com/admin");
    expect(matches("https://evil.com/docs*", "https://evil.com/admin", "deny")).toBe(false);
  });

  it.each([
    `https://a@${"a.".repeat(50_000)}:x/`,
    `https://a@${"a.".repeat(3900)}:x/`,
    `https://${"a.b@".repeat(2000)}x/`,
    "a:".repeat(4000),
    `https://a/${"%61%".repeat(2000)}`,
    `https://${":1".repeat(4000)}x/`,
  ])("answers at once, however the address is made", (address) => {
    const start = performance.now();
    for (const pattern of ["domain:example.com", "https://example.com/*"])
      for (const effect of ["allow", "deny"] as const) matches(pattern, address, effect);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it("is looked for from the start of the text alone where it only allows", () => {
    expect(compileUrlPattern("https://a/*").literalPrefix).toBe("https://a/");
    expect(compileUrlPattern("https://a/*", { effect: "deny" }).literalPrefix).toBe("");
    expect(compileUrlPattern("domain:a").literalPrefix).toBe("");
  });

  it("never throws, and denies what it allows, whatever pattern and address", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "https://",
        "http:",
        "//",
        "\\",
        "@",
        ":",
        "a.b",
        "*",
        "?",
        "#",
        "domain:",
        "[::1]",
        "..",
        "%2e",
        "\ud800",
        "\0",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    const hostile = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(hostile, hostile, (pattern, address) => {
        if (matches(pattern, address, "allow")) expect(matches(pattern, address, "deny")).toBe(true);
      }),
      { numRuns: 4000 },
    );
  });
});
