import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argsDigest } from "../src/args-digest.js";
import type { Grant } from "../src/grant.js";
import { GrantIndex } from "../src/grant-index.js";
import { createGrant, grantCovers } from "../src/grant-scope.js";
import type { JsonValue } from "../src/json.js";

const allow = (tool: string, args?: JsonValue, expiresAtMs?: number): Grant =>
  createGrant(tool, "Allow", args === undefined ? "this_tool" : { this_call: { args } }, {
    createdAtMs: 0,
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  });
const query = (tool: string, args: JsonValue, nowMs = 0) => ({
  tool,
  args,
  argsDigest: argsDigest(args),
  nowMs,
});

describe("GrantIndex", () => {
  it("finds by tool and arguments, in insertion order", () => {
    const [call, tool, other] = [allow("t", { a: 1, b: 2 }), allow("t"), allow("t", { a: 2 })];
    const index = new GrantIndex([call, other, tool, allow("u")]);
    expect(index.find(query("t", { b: 2, a: 1 }))).toEqual([call, tool]);
    expect(index.find(query("t", null))).toEqual([tool]);
    expect(index.find(query("v", null))).toEqual([]);
  });

  it.each(["constructor", "__proto__", "toString", "", "hasOwnProperty"])(
    "takes a tool called %j",
    (tool) => {
      const index = new GrantIndex();
      expect(index.find(query(tool, {}))).toEqual([]);
      index.add(allow(tool));
      expect(index.find(query(tool, {}))).toHaveLength(1);
      expect(index.find(query(`${tool}x`, {}))).toEqual([]);
    },
  );

  it("compares the canonical text, since a digest can be hit on purpose", () => {
    const granted = { command: "ls" };
    const index = new GrantIndex([allow("t", granted)]);
    expect(index.find({ ...query("t", { command: "rm" }), argsDigest: argsDigest(granted) })).toEqual([]);
  });

  it("finds nothing under another digest than the granted arguments have", () => {
    const index = new GrantIndex([allow("t", 1)]);
    expect(index.find({ ...query("t", 1), argsDigest: "0000000000000000" })).toEqual([]);
  });

  it("leaves expired grants out from the very millisecond they expire at", () => {
    const index = new GrantIndex([allow("t", 1, 1000), allow("t")]);
    expect(index.find(query("t", 1, 999))).toHaveLength(2);
    expect(index.find(query("t", 1, 1000))).toEqual([allow("t")]);
    expect(index.list()).toHaveLength(2);
  });

  it("lists and removes, but never finds, an entry that covers nothing", () => {
    const index = new GrantIndex();
    const [call, tool] = [allow("t", 1), allow("t")];
    index.add(call, { coversNothing: true });
    index.add(tool, { coversNothing: true });
    expect(index.find(query("t", 1))).toEqual([]);
    expect(index.list()).toEqual([call, tool]);
    expect(index.upsert(call)).toBe(call);
    expect(index.find(query("t", 1))).toEqual([call]);
    expect(index.remove(tool.id)).toBe(tool);
    expect(index.list()).toEqual([call]);
  });

  it("replaces whole and in place, also where tool and scope change under one id", () => {
    const [first, second] = [allow("t", 1), allow("t")];
    const index = new GrantIndex([first, second]);
    const moved: Grant = { ...allow("u"), id: first.id, note: "moved" };
    expect(index.upsert(moved)).toBe(first);
    expect(index.list()).toEqual([moved, second]);
    expect(index.find(query("t", 1))).toEqual([second]);
    expect(index.find(query("u", 1))).toEqual([moved]);
    expect(index.get(first.id)).toBe(moved);
  });

  it("of an id that stands twice, replaces the first and removes all", () => {
    const [first, again] = [allow("t", 1), { ...allow("t", 1), note: "again" }];
    const index = new GrantIndex([first, allow("u"), again]);
    expect(index.find(query("t", 1))).toEqual([first, again]);
    const fresh = { ...first, note: "fresh" };
    expect(index.upsert(fresh)).toBe(first);
    expect(index.list()).toEqual([fresh, allow("u"), again]);
    expect(index.upsert(first)).toBe(fresh);
    expect(index.remove(first.id)).toBe(first);
    expect(index.list()).toEqual([allow("u")]);
    expect(index.remove(first.id)).toBeNull();
    expect(index.get(first.id)).toBeNull();
  });

  it("agrees with a plain list under any series of operations", () => {
    const tool = fc.constantFrom("a", "b", "constructor");
    const args = fc.constantFrom<JsonValue>(null, 1, { x: 1, y: 2 }, { y: 2, x: 1 }, ["z"]);
    const id = fc.constantFrom("1", "2", "3", "4");
    const grant = fc
      .record({
        id,
        tool,
        args: fc.option(args, { nil: undefined }),
        expires: fc.option(fc.nat(20), { nil: undefined }),
      })
      .map(({ id, tool, args, expires }): Grant => ({ ...allow(tool, args, expires), id }));
    const operation = fc.oneof(
      fc.record({ kind: fc.constant("add" as const), grant }),
      fc.record({ kind: fc.constant("upsert" as const), grant }),
      fc.record({ kind: fc.constant("remove" as const), id }),
    );
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 30 }),
        tool,
        args,
        fc.nat(20),
        (operations, tool, args, nowMs) => {
          const index = new GrantIndex();
          let plain: Grant[] = [];
          for (const operation of operations) {
            if (operation.kind === "remove") {
              expect(index.remove(operation.id)).toBe(
                plain.find((grant) => grant.id === operation.id) ?? null,
              );
              plain = plain.filter((grant) => grant.id !== operation.id);
              continue;
            }
            const place = plain.findIndex((grant) => grant.id === operation.grant.id);
            if (operation.kind === "add") index.add(operation.grant);
            else index.upsert(operation.grant);
            if (operation.kind === "add" || place === -1) plain.push(operation.grant);
            else plain[place] = operation.grant;
          }
          expect(index.list()).toEqual(plain);
          expect(index.size).toBe(plain.length);
          expect(index.find(query(tool, args, nowMs))).toEqual(
            plain.filter((grant) => grantCovers(grant, tool, args) && (grant.expires_at_ms ?? 99) > nowMs),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it("visits no more grants at fifty thousand than at ten", () => {
    const index = new GrantIndex();
    let reads = 0;
    for (let number = 0; number < 50_000; number++) {
      const grant = { ...allow("t", number), id: String(number) };
      index.add(
        Object.defineProperty(grant, "expires_at_ms", {
          get: () => {
            reads += 1;
            return undefined;
          },
        }),
      );
    }
    expect(index.find(query("t", 25_000))).toHaveLength(1);
    expect(reads).toBeLessThan(5);
  });
});
