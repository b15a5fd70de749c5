import { expect, it, vi } from "vitest";
import { isolatedReport, type OnReport } from "../src/report.js";

const EVENT = { level: "warn", message: "something is odd" } as const;

it.each<[string, () => unknown]>([
  ["throws", () => fail()],
  ["rejects", () => Promise.reject(new Error("no"))],
  // biome-ignore lint/suspicious/noThenProperty: what is no promise, and rejects all the same
  ["gives something that is waited for and throws", () => ({ then: fail })],
  ["gives something that cannot be read", revoked],
  ["gives nothing", () => undefined],
])("an isolated report that %s changes nothing", async (_, report) => {
  const rejections = vi.fn();
  process.on("unhandledRejection", rejections);
  const told = vi.fn(report);
  isolatedReport(told as OnReport)(EVENT);
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", rejections);
  expect(told.mock.calls).toEqual([[EVENT]]);
  expect(rejections).not.toHaveBeenCalled();
});

it.each([null, "console", {}, 1])("cannot go to what is no function: %j", (onReport) => {
  expect(() => isolatedReport(onReport as never)).toThrow(
    expect.objectContaining({ code: "invalid_option", message: "onReport must be a function" }),
  );
});

it("goes to the console where no other is given", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  isolatedReport()(EVENT);
  isolatedReport(undefined)({ ...EVENT, cause: "why" });
  expect(warn.mock.calls).toEqual([["something is odd"], ["something is odd", "why"]]);
  warn.mockRestore();
});

function fail(): never {
  throw new Error("no");
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
