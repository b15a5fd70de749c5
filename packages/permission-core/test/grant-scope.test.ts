import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../src/canonical-json.js";
import type { GrantScope } from "../src/grant.js";
import { createGrant, grantCovers, grantId } from "../src/grant-scope.js";
import type { JsonValue } from "../src/json.js";

const thisCall = (args: JsonValue): GrantScope => ({ this_call: { args } });

describe("grantId", () => {
  it.each<[string, "Allow" | "Deny", GrantScope, string]>([
    ["read", "Allow", "this_tool", "514e4d9b0eda7cf2"],
    ["read", "Deny", "this_tool", "60081666a320860d"],
    ["shell", "Deny", thisCall({ command: "rm -rf /" }), "aa930d8078846318"],
    ["deploy", "Allow", thisCall(null), "491b5814458df6d5"],
    ["", "Allow", "this_tool", "fbcf2fb709d00cd2"],
    ['a"b\\c\n', "Allow", "this_tool", "979bce04d2da9fd8"],
  ])("digests %j %s %j", (tool, verdict, scope, id) => {
    expect(grantId(tool, verdict, scope)).toBe(id);
  });

  it("does not depend on the order of the arguments' keys", () => {
    expect(grantId("t", "Allow", thisCall({ a: 1, b: 2 }))).toBe(
      grantId("t", "Allow", thisCall({ b: 2, a: 1 })),
    );
  });
});

describe("grantCovers", () => {
  it("covers every call of exactly its tool", () => {
    const grant = createGrant("read", "Allow", "this_tool", { createdAtMs: 0 });
    expect(grantCovers(grant, "read", { any: "thing" })).toBe(true);
    for (const tool of ["Read", "read ", "rea", "", "constructor"]) {
      expect(grantCovers(grant, tool, {})).toBe(false);
    }
  });

  it("covers the calls whose arguments have the same canonical text", () => {
    const grant = createGrant("read", "Allow", thisCall({ a: 1, b: [1, 2] }), { createdAtMs: 0 });
    expect(grantCovers(grant, "read", { b: [1, 2], a: 1 })).toBe(true);
    for (const args of [
      { a: 1, b: [2, 1] },
      { a: "1", b: [1, 2] },
      { a: 1 },
      { a: 1, b: [1, 2], c: null },
      null,
    ]) {
      expect(grantCovers(grant, "read", args)).toBe(false);
    }
  });

  it("does not look at the verdict, the pin or the expiry", () => {
    const options = { createdAtMs: 0, expiresAtMs: 0, pinnedDescriptor: "aaaaaaaaaaaaaaaa" };
    expect(grantCovers(createGrant("read", "Deny", thisCall(1), options), "read", 1)).toBe(true);
  });

  it("covers no call whose arguments are no JSON value, unless it covers the whole tool, and never throws", () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    for (const args of [cyclic, 1n, undefined, Number.NaN, () => 1, new Date(0)]) {
      expect(
        grantCovers(createGrant("t", "Allow", thisCall({}), { createdAtMs: 0 }), "t", args as JsonValue),
      ).toBe(false);
      expect(
        grantCovers(createGrant("t", "Deny", "this_tool", { createdAtMs: 0 }), "t", args as JsonValue),
      ).toBe(true);
    }
    const broken = {
      ...createGrant("t", "Allow", "this_tool"),
      scope: { this_call: { args: 1n as unknown as JsonValue } },
    };
    expect(grantCovers(broken, "t", 1n as unknown as JsonValue)).toBe(false);
  });

  it("agrees with canonical text", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (granted, args) => {
        const grant = createGrant("t", "Allow", thisCall(granted as JsonValue), { createdAtMs: 0 });
        expect(grantCovers(grant, "t", granted as JsonValue)).toBe(true);
        expect(grantCovers(grant, "t", args as JsonValue)).toBe(
          canonicalJson(granted) === canonicalJson(args),
        );
      }),
    );
  });
});

describe("createGrant", () => {
  it("gives the wire form, with absent options as null and unset additions left out", () => {
    expect(JSON.stringify(createGrant("shell", "Allow", "this_tool", { createdAtMs: 1000 }))).toBe(
      '{"id":"8958f76425c235ce","tool":"shell","verdict":"Allow","scope":"this_tool","pinned_descriptor":null,"created_at_ms":1000,"note":null}',
    );
  });

  it("takes every option", () => {
    const grant = createGrant("shell", "Deny", thisCall({ command: "rm -rf /" }), {
      note: "never",
      pinnedDescriptor: "aaaaaaaaaaaaaaaa",
      pinnedFingerprint: "sha256:00",
      createdAtMs: 0,
      expiresAtMs: 5,
      grantedBy: "someone",
    });
    expect(JSON.stringify(grant)).toBe(
      '{"id":"aa930d8078846318","tool":"shell","verdict":"Deny","scope":{"this_call":{"args":{"command":"rm -rf /"}}},' +
        '"pinned_descriptor":"aaaaaaaaaaaaaaaa","created_at_ms":0,"note":"never","pinned_fingerprint":"sha256:00",' +
        '"expires_at_ms":5,"granted_by":"someone"}',
    );
  });

  it("is created now unless told otherwise", () => {
    const before = Date.now();
    const { created_at_ms: at } = createGrant("t", "Allow", "this_tool");
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  it("copies the arguments", () => {
    const args = { list: [1] };
    const grant = createGrant("t", "Allow", thisCall(args), { createdAtMs: 0 });
    args.list.push(2);
    expect(grant.scope).toEqual({ this_call: { args: { list: [1] } } });
    expect(grant.id).toBe(grantId("t", "Allow", grant.scope));
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses the time %s", (time) => {
    const refusal = expect.objectContaining({ code: "invalid_option" });
    expect(() => createGrant("t", "Allow", "this_tool", { createdAtMs: time })).toThrow(refusal);
    expect(() => createGrant("t", "Allow", "this_tool", { createdAtMs: 0, expiresAtMs: time })).toThrow(
      refusal,
    );
  });

  it("refuses arguments that are no JSON value", () => {
    const scope = { this_call: { args: new Map() as unknown as JsonValue } };
    expect(() => createGrant("t", "Allow", scope)).toThrow(expect.objectContaining({ code: "not_json" }));
  });

  it("refuses a verdict of another spelling", () => {
    expect(() => createGrant("t", "allow" as "Allow", "this_tool")).toThrow(
      expect.objectContaining({ code: "bad_record", message: expect.stringContaining("grant.verdict") }),
    );
  });
});
