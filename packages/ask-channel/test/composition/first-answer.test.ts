import { type AskResolver, PermissionGateError } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { ApprovalChannel, firstAnswer, SyncAskResolver } from "../../src/index.js";
import { EMPTY, failureOf, outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { HeldMember, turn, unavailableMember } from "../support/held-member.js";
import { reports, SILENT } from "../support/reports.js";

const A = pendingAsk("A");

function put(members: AskResolver[]) {
  const composition = firstAnswer(members, { onReport: reports().onReport });
  return { outcome: outcomeOf(composition.resolve(A, wait().context)) };
}

describe("firstAnswer", () => {
  it("asks all at once and takes the first answer, whichever it is", async () => {
    const [one, two, three] = [new HeldMember(), new HeldMember(), new HeldMember()];
    const { outcome } = put([one, two, three]);
    expect([one, two, three].map((member) => member.asks.length)).toEqual([1, 1, 1]);
    two.give("Deny");
    one.give("Approve");
    expect(await outcome).toEqual({ value: "Deny" });
    expect([one, two, three].map((member) => member.calledOff)).toEqual([
      "ask_answered",
      null,
      "ask_answered",
    ]);
    expect(one.signals[0]?.reason).toBeInstanceOf(PermissionGateError);
  });

  it("does not take unavailable or expired for an answer", async () => {
    const [one, two, three] = [new HeldMember(), new HeldMember(), new HeldMember()];
    const { outcome } = put([one, two, three]);
    one.failWith("ask_unavailable");
    two.failWith("ask_expired");
    await turn();
    expect(three.calledOff).toBe(null);
    three.give("Approve");
    expect(await outcome).toEqual({ value: "Approve" });
  });

  it.each([
    [["ask_unavailable", "ask_unavailable"], "ask_unavailable"],
    [["ask_unavailable", "ask_expired"], "ask_expired"],
    [["ask_expired", "ask_expired"], "ask_expired"],
  ] as const)("of members that are %j comes to %s", async ([first, second], code) => {
    const [one, two] = [new HeldMember(), new HeldMember()];
    const { outcome } = put([one, two]);
    one.failWith(first);
    two.failWith(second);
    expect(await outcome).toEqual({ code });
  });

  it("keeps the errors of all who could not be asked as the cause", async () => {
    const { onReport } = reports();
    const composition = firstAnswer([unavailableMember(), unavailableMember()], { onReport });
    await expect(composition.resolve(A, wait().context)).rejects.toMatchObject({
      cause: { errors: [{ message: "nobody is there" }, { message: "nobody is there" }] },
    });
  });

  it("denies with the first failure or nonsense, and calls the others off", async () => {
    for (const spoil of [(m: HeldMember) => m.fail(new Error("broken")), (m: HeldMember) => m.give("yes")]) {
      const [one, two] = [new HeldMember(), new HeldMember()];
      const { outcome } = put([one, two]);
      spoil(one);
      two.give("Approve");
      expect(["Error: broken", "bad_record"]).toContain(((await outcome) as { code: string }).code);
      expect(two.calledOff).toBe("ask_answered");
    }
  });

  it("asks nobody after a member that answers without waiting", async () => {
    const later = new HeldMember();
    const composition = firstAnswer([new SyncAskResolver(() => true), later]);
    expect(await composition.resolve(A, wait().context)).toBe("Approve");
    expect(later.isAsked).toBe(false);
  });

  it("of two channels answered in one turn takes the first, and the second reads already_answered", async () => {
    const channels = [ApprovalChannel.pair(1, SILENT), ApprovalChannel.pair(1, SILENT)] as const;
    const answer = firstAnswer(channels.map(({ resolver }) => resolver)).resolve(A, wait().context);
    const statuses = channels
      .toReversed()
      .map(({ approver }) => approver.answer(A, { resolution: "Approve" }));
    expect(await Promise.all(statuses)).toEqual(["delivered", "already_answered"]);
    expect(await answer).toEqual({ resolution: "Approve" });
    expect(channels.map(({ resolver }) => resolver.load())).toEqual([EMPTY, EMPTY]);
  });

  it("denies with a channel that closes, and not what that denial has ended already", async () => {
    const { events, onReport } = reports();
    const { resolver, approver } = ApprovalChannel.pair(2, { onReport });
    const [B, other] = [pendingAsk("B"), new HeldMember()];
    const waiting = wait();
    const first = outcomeOf(firstAnswer([resolver, other]).resolve(A, wait().context));
    const second = outcomeOf(resolver.resolve(B, waiting.context));
    other.signals[0]?.addEventListener("abort", waiting.cancel);
    await approver.close();
    expect(await Promise.all([first, second])).toEqual([{ value: "Deny" }, { code: "ask_cancelled" }]);
    expect(await approver.answer(B, "Approve")).toBe("cancelled");
    expect(events).toMatchObject([{ message: "approver closed: 1 waiting asks denied" }]);
  });

  it("reports a member that is unavailable once, until it has answered again", async () => {
    const [flaky, steady] = [new HeldMember(), new HeldMember()];
    const { events, onReport } = reports();
    const composition = firstAnswer([flaky, steady], { onReport });
    for (const step of ["down", "down", "up", "down"]) {
      const outcome = composition.resolve(A, wait().context);
      if (step === "down") flaky.failWith("ask_unavailable");
      else flaky.give("Deny");
      await turn();
      steady.give("Deny");
      await outcome;
    }
    const report = { level: "warn", message: "ask A: one of 2 resolvers is unavailable" };
    expect(events).toMatchObject([report, report]);
  });

  it("reports nobody of whom its rejection tells, where nobody else goes on", async () => {
    const [one, two] = [new HeldMember(), new HeldMember()];
    const { events, onReport } = reports();
    const outcome = failureOf(firstAnswer([one, two], { onReport }).resolve(A, wait().context));
    one.failWith("ask_unavailable");
    await turn();
    expect(events).toHaveLength(1);
    two.failWith("ask_unavailable");
    expect(await outcome).toMatchObject({ code: "ask_unavailable", cause: { errors: [{}, {}] } });
    expect(events).toHaveLength(1);
  });

  it("reports the last one too where it rejects as expired, which tells of no failure", async () => {
    const [one, two] = [new HeldMember(), new HeldMember()];
    const { events, onReport } = reports();
    const outcome = outcomeOf(firstAnswer([one, two], { onReport }).resolve(A, wait().context));
    one.failWith("ask_expired");
    two.failWith("ask_unavailable");
    expect(await outcome).toEqual({ code: "ask_expired" });
    expect(events).toMatchObject([{ message: "ask A: one of 2 resolvers is unavailable" }]);
  });

  it("reports nobody who was left out of an unattended run", async () => {
    const { events, onReport } = reports();
    const context = { ...wait().context, isNonInteractive: true };
    const remote = new HeldMember();
    const outcome = firstAnswer([() => true, remote], { onReport }).resolve(A, context);
    remote.give("Approve");
    expect(await outcome).toBe("Approve");
    expect(events).toEqual([]);
  });

  it("is interactive only if all members are, also nested", () => {
    const [here, remote] = [new HeldMember(true), new HeldMember(false)];
    expect(firstAnswer([here, () => true]).interactive).toBe(true);
    expect(firstAnswer([here, remote]).interactive).toBe(false);
    expect(firstAnswer([firstAnswer([here]), () => true]).interactive).toBe(true);
    expect(firstAnswer([firstAnswer([remote, here]), here]).interactive).toBe(false);
  });

  it("shows each member a copy of its own", () => {
    const [one, two] = [new HeldMember(), new HeldMember()];
    const meddler = new SyncAskResolver((ask) => {
      ask.args_digest = "0000000000000000";
      throw new PermissionGateError("ask_unavailable", "not me");
    });
    put([one, meddler, two]);
    expect([one.asks, two.asks]).toEqual([[A], [A]]);
  });

  it("keeps to the members it was given", async () => {
    const members: HeldMember[] = [new HeldMember()];
    const composition = firstAnswer(members);
    members.push(new HeldMember());
    void composition.resolve(A, wait().context);
    expect(members.map((member) => member.isAsked)).toEqual([true, false]);
  });

  it("throws invalid_option for nobody and for what cannot be asked", () => {
    const refused = expect.objectContaining({ code: "invalid_option" });
    expect(() => firstAnswer([])).toThrow(refused);
    for (const junk of [null, undefined, "terminal", {}, { resolve: true }]) {
      expect(() => firstAnswer([junk as never])).toThrow(refused);
    }
  });
});
