import { type AskResolver, PermissionGateError } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { type ComposableResolver, route } from "../../src/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { HeldMember, turn } from "../support/held-member.js";

const A = pendingAsk("A");
const B = pendingAsk("B", { tool: "read" });

describe("route", () => {
  it("asks the one that is chosen for this ask, and tells only that one the end", async () => {
    const [deploys, reads] = [new HeldMember(), new HeldMember()];
    const composition = route((ask) => (ask.tool === "deploy" ? deploys : reads));
    const outcomes = [A, B].map((ask) => outcomeOf(composition.resolve(ask, wait().context)));
    deploys.give("Deny");
    reads.give("Approve");
    expect(await Promise.all(outcomes)).toEqual([{ value: "Deny" }, { value: "Approve" }]);
    await composition.settled?.(A, "denied");
    expect([deploys.told, reads.told]).toEqual([[["A", "denied"]], []]);
  });

  it("is unavailable where null is chosen, at once or later, and where nothing is", async () => {
    for (const chosen of [null, undefined, Promise.resolve(null)]) {
      const outcome = outcomeOf(route(() => chosen as null).resolve(A, wait().context));
      expect(await outcome).toEqual({ code: "ask_unavailable" });
    }
  });

  it("denies where the choice fails or is nobody that can be asked", async () => {
    const choices: (() => ComposableResolver)[] = [
      () => {
        throw new Error("no table");
      },
      () => Promise.reject(new Error("no table")) as never,
      () => "terminal" as never,
      () => Promise.resolve({ resolve: 1 }) as never,
    ];
    const outcomes = choices.map((choose) => outcomeOf(route(choose).resolve(A, wait().context)));
    expect(await Promise.all(outcomes)).toEqual([
      { code: "Error: no table" },
      { code: "Error: no table" },
      { code: "invalid_option" },
      { code: "invalid_option" },
    ]);
  });

  it("is unavailable where the choice says so", async () => {
    const composition = route(async () => {
      throw new PermissionGateError("ask_unavailable", "no table today");
    });
    expect(await outcomeOf(composition.resolve(A, wait().context))).toEqual({ code: "ask_unavailable" });
  });

  it.each(["cancel", "expire"] as const)("asks nobody once a %s came before the choice", async (how) => {
    const member = new HeldMember();
    let choose = (_chosen: AskResolver) => {};
    const composition = route(() => new Promise<AskResolver>((resolve) => (choose = resolve)));
    const waiting = wait();
    const outcome = outcomeOf(composition.resolve(A, waiting.context));
    waiting[how]();
    choose(member);
    expect(await outcome).toEqual({ code: how === "cancel" ? "ask_cancelled" : "ask_expired" });
    await turn();
    expect(member.isAsked).toBe(false);
  });

  it("shows the choice a copy of the ask", async () => {
    const member = new HeldMember();
    const composition = route((ask) => {
      ask.args_digest = "0000000000000000";
      return member;
    });
    void composition.resolve(A, wait().context);
    expect(member.asks).toEqual([A]);
  });

  it("is not interactive, and in an unattended run does not ask whom it chooses where that one is", async () => {
    const context = { ...wait().context, isNonInteractive: true };
    const composition = route((ask) => (ask.tool === "deploy" ? () => true : new HeldMember(false)));
    expect(composition.interactive).toBe(false);
    expect(await outcomeOf(composition.resolve(A, context))).toEqual({ code: "ask_unavailable" });
  });
});
