import type { AskResolver } from "@x/permission-core";
import { expect, it } from "vitest";
import { escalate, fallback, firstAnswer, quorum, route, withDeadline } from "../../src/index.js";
import { pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";

const { proxy: UNREADABLE, revoke } = Proxy.revocable({}, {});
revoke();

const failing: AskResolver = { interactive: false, resolve: () => Promise.reject(UNREADABLE) };
const waiting: AskResolver = { interactive: false, resolve: () => new Promise(() => {}) };

it.each<[string, AskResolver]>([
  ["fallback", fallback([failing, waiting], SILENT)],
  ["firstAnswer", firstAnswer([failing, waiting], SILENT)],
  ["quorum", quorum(1, [failing, waiting], SILENT)],
  ["escalate", escalate([{ to: failing }, { to: waiting, afterMs: 60_000 }], SILENT)],
  ["route", route(() => failing, SILENT)],
  ["withDeadline", withDeadline(failing, 60_000, SILENT)],
])("%s ends with a member that rejects with what cannot be read", async (_, resolver) => {
  const ended = resolver.resolve(pendingAsk("A"), wait().context);
  const outcome = await Promise.resolve(ended).then(
    () => "answered",
    () => "rejected",
  );
  expect(outcome).toBe("rejected");
});

it("an onReport that rejects brings nothing down", async () => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => void rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  const onReport = () => Promise.reject(new Error("the log is full"));
  const other: AskResolver = { interactive: false, resolve: async () => "Approve" as const };
  const away = withDeadline(waiting, 1, SILENT);
  expect(await fallback([away, other], { onReport }).resolve(pendingAsk("A"), wait().context)).toBe(
    "Approve",
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", onRejection);
  expect(rejections).toEqual([]);
});
