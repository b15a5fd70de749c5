import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { reasonOf, withoutCommand } from "../src/client-error.js";

const unknown = (args: string) => new Error(`ERR unknown command 'AUTH', with args beginning with: ${args}`);
const refused = Object.assign(new Error("WRONGPASS invalid username-password pair or user is disabled."), {
  name: "ReplyError",
  command: { name: "hello", args: ["3", "AUTH", "ana", "hidden"] },
});
const ofCluster = Object.assign(new Error("Failed to refresh slots cache."), { lastNodeError: refused });

describe("the reason of an error", () => {
  it.each([
    ["of a connection", new Error("connect ECONNREFUSED 127.0.0.1:1"), "connect ECONNREFUSED 127.0.0.1:1"],
    ["with a full stop", new Error("Connection is closed."), "Connection is closed"],
    ["of a command with a password", unknown("'ana' 'hidden' "), "ERR unknown command 'AUTH'"],
    ["of control characters", new Error("ERR \u001b[2K\n\u202e"), "ERR \\u{001b}[2K\\n\\u{202e}"],
    ["of two addresses", new AggregateError([new Error("no ::1"), new Error("no 127.0.0.1")]), "no ::1"],
    [
      "of a Cluster",
      ofCluster,
      "Failed to refresh slots cache: WRONGPASS invalid username-password pair or user is disabled",
    ],
    ["without a text", new Error(""), "it is not known why"],
    ["that is none", "text", "it is not known why"],
  ])("%s is one line that shows no password", (_, error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });

  it("is cut where a server says very much", () => {
    expect(reasonOf(new Error("x".repeat(100_000))).length).toBeLessThan(330);
  });
});

describe("an error without its command", () => {
  it.each([
    ["a user that was refused", refused],
    ["a node that refused a user", ofCluster],
    ["a server that knows no AUTH", Object.assign(unknown("'hidden'"), { command: refused.command })],
  ])("shows no password of %s, wherever it is printed", (_, error) => {
    expect(inspect(error, { depth: null })).toContain("hidden");
    expect(inspect(withoutCommand(error), { depth: null })).not.toContain("hidden");
  });

  it("has the same name and message", () => {
    expect(withoutCommand(refused)).toMatchObject({ name: "ReplyError", message: refused.message });
  });

  it("is the same error where it had none", () => {
    const error = new Error("connect ECONNREFUSED 127.0.0.1:1");
    expect(withoutCommand(error)).toBe(error);
    expect(withoutCommand("text")).toBe("text");
  });
});
