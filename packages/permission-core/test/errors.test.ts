import { describe, expect, it, vi } from "vitest";
import { isPermissionGateError, PermissionGateError } from "../src/errors.js";

describe("PermissionGateError", () => {
  it("has a code, a message, a name and the cause", () => {
    const cause = new Error("why");
    const error = new PermissionGateError("storage", "cannot read", { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      code: "storage",
      message: "cannot read",
      name: "PermissionGateError",
      cause,
    });
    expect(String(error)).toBe("PermissionGateError: cannot read");
    expect("cause" in new PermissionGateError("storage", "cannot read")).toBe(false);
  });

  it("shows no mark of its kind when it is listed or serialised", () => {
    const error = new PermissionGateError("closed", "x");
    expect(JSON.stringify(error)).toBe('{"name":"PermissionGateError","code":"closed"}');
  });
});

describe("isPermissionGateError", () => {
  it("tells it by its code, where one is given", () => {
    const error = new PermissionGateError("ask_expired", "x");
    expect(isPermissionGateError(error)).toBe(true);
    expect(isPermissionGateError(error, "ask_expired")).toBe(true);
    expect(isPermissionGateError(error, "ask_cancelled")).toBe(false);
  });

  it("knows the errors of another loaded copy, and of classes made from it", async () => {
    vi.resetModules();
    const copy = await import("../src/errors.js");
    expect(copy.PermissionGateError).not.toBe(PermissionGateError);
    class Stopped extends copy.PermissionGateError {}
    for (const error of [new copy.PermissionGateError("closed", "x"), new Stopped("closed", "x")]) {
      expect(error).not.toBeInstanceOf(PermissionGateError);
      expect(isPermissionGateError(error, "closed")).toBe(true);
    }
    expect(copy.isPermissionGateError(new PermissionGateError("closed", "x"))).toBe(true);
  });

  it.each([
    null,
    undefined,
    0,
    "x",
    {},
    new Error("x"),
    { code: "closed", name: "PermissionGateError" },
    () => 1,
  ])("does not take %s for one", (value) => {
    expect(isPermissionGateError(value)).toBe(false);
    expect(isPermissionGateError(value, "closed")).toBe(false);
  });

  it("takes what cannot be read for none", () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const unreadable = Object.defineProperty(new PermissionGateError("closed", "x"), "code", {
      get: () => {
        throw new Error("no");
      },
    });
    expect(isPermissionGateError(revoked.proxy)).toBe(false);
    expect(isPermissionGateError(unreadable, "closed")).toBe(false);
  });
});
