import type { AskAnswer } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { ApprovalChannel, quorum } from "../../src/index.js";
import { EMPTY, failureOf, outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { HeldMember, turn, unavailableMember } from "../support/held-member.js";
import { reports, SILENT } from "../support/reports.js";

const A = pendingAsk("A");
const NOT_REACHED = { value: { resolution: "Deny", reason: "a quorum of 2 was not reached" } };

const yes = (by: string, more: object = {}) =>
  ({ resolution: "Approve", decided_by: by, ...more }) as AskAnswer;

function put(needed: number, count: number) {
  const members = Array.from({ length: count }, () => new HeldMember());
  const { events, onReport } = reports();
  const composition = quorum(needed, members, { onReport });
  const outcome = outcomeOf(composition.resolve(A, wait().context));
  const give = async (...answers: unknown[]) => {
    for (const [index, answer] of answers.entries()) {
      if (answer instanceof Error) members[index]?.fail(answer);
      else if (answer === "ask_unavailable" || answer === "ask_expired") members[index]?.failWith(answer);
      else if (answer !== undefined) members[index]?.give(answer);
      await turn();
    }
    return members.map((member) => member.calledOff);
  };
  return { members, outcome, give, events };
}

describe("quorum", () => {
  it("approves once so many have approved, names them all, and calls the others off", async () => {
    const { outcome, give } = put(2, 3);
    expect(await give(yes("ana", { reason: "fine" }), undefined, yes("bob", { reason: "go" }))).toEqual([
      null,
      "ask_answered",
      null,
    ]);
    expect(await outcome).toEqual({ value: yes("ana + bob", { reason: "fine; go" }) });
  });

  it.each(["Deny", { resolution: "Deny" }, { resolution: "Deny", decided_by: "eve", reason: "no" }])(
    "ends with one denial, %j",
    async (denial) => {
      const { outcome, give } = put(2, 3);
      expect(await give(yes("ana"), denial)).toEqual([null, null, "ask_answered"]);
      expect(await outcome).toEqual({ value: denial });
    },
  );

  it.each([
    ["a failure", new Error("broken"), "Error: broken"],
    ["nonsense", "yes", "bad_record"],
  ])("ends with %s", async (_name, spoiled, code) => {
    const { outcome, give } = put(2, 3);
    expect(await give(yes("ana"), spoiled)).toEqual([null, null, "ask_answered"]);
    expect(await outcome).toEqual({ code });
  });

  it.each([
    "Approve",
    { resolution: "Approve" },
    { resolution: "Approve", modified_input: 1 },
    yes(""),
    yes(" \u200b"),
    yes(" + "),
    yes("+"),
  ])("refuses %j, which names nobody, and asks that member again", async (nameless) => {
    const { members, outcome, give, events } = put(2, 2);
    expect(await give(yes("ana"), nameless)).toEqual([null, null]);
    expect(members.map(({ asks }) => asks.length)).toEqual([1, 2]);
    expect(events).toEqual([
      {
        level: "warn",
        message: "ask A: an approval does not count towards the quorum: it has no decided_by",
      },
    ]);
    await give(undefined, yes("bob"));
    expect(await outcome).toEqual({ value: yes("ana + bob") });
  });

  it("takes a member for unavailable that approves three times without a name, and never approves by it", async () => {
    const { members, outcome, give } = put(2, 3);
    for (const _ of [1, 2, 3, 4]) await give(undefined, "Approve");
    expect(members.map(({ asks }) => asks.length)).toEqual([1, 3, 1]);
    await give(yes("ana"), undefined, yes("cem"));
    expect(await outcome).toEqual({ value: yes("ana + cem") });
    const alone = quorum(1, [() => true, () => true], SILENT);
    expect(await outcomeOf(alone.resolve(A, wait().context))).toEqual({ code: "ask_unavailable" });
  });

  it("is denied by a denial that follows an approval without a name", async () => {
    const { outcome, give } = put(2, 2);
    await give(undefined, "Approve");
    await give(undefined, "Deny");
    expect(await outcome).toEqual({ value: "Deny" });
  });

  it("puts the ask to a channel again whose approver gave no name", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
    const other = new HeldMember();
    const outcome = outcomeOf(quorum(2, [resolver, other], SILENT).resolve(A, wait().context));
    expect(await approver.resolve("A", "Approve")).toBe(true);
    expect((await approver.nextPending())?.id).toBe("A");
    expect(await approver.answer(A, yes("ana"))).toBe("delivered");
    expect(await approver.answer(A, yes("bob"))).toBe("already_answered");
    other.give(yes("bob"));
    expect(await outcome).toEqual({ value: yes("ana + bob") });
  });

  it.each([
    [yes("ana"), "its decided_by has approved already"],
    [yes(" Ana\u200b"), "its decided_by has approved already"],
    [yes("ANA"), "its decided_by has approved already"],
    [yes("eve + ana"), "its decided_by has approved already"],
  ])("does not count %j beside an approval of ana's", async (answer, why) => {
    const { outcome, give, events } = put(2, 3);
    await give(yes("ana"), answer);
    expect(events).toEqual([
      { level: "warn", message: `ask A: an approval does not count towards the quorum: ${why}` },
    ]);
    await give(undefined, undefined, yes("bob"));
    expect(await outcome).toEqual({ value: yes("ana + bob") });
  });

  it.each([
    ["José", "Jose\u200d\u0301"],
    ["ΝΙΚΟΣ", "νικοσ"],
    ["STRASSE", "straße"],
    ["alice + x", "alice\u00a0+ y"],
    ["alice + x", "y \uff0b ALICE"],
    ["alice", "x + + alice"],
    ["alice", "alice +"],
    ["alice", "al\u2800ice"],
    ["alice", "al\ufeffice"],
    ["alice", "\u0085al\u{e000}ice\u3164"],
    ["Ana Lee", "ana\t \u2003lee"],
  ])("takes %j and %j for one person", async (first, second) => {
    const { outcome, give, events } = put(2, 3);
    await give(yes(first), yes(second));
    expect(events).toMatchObject([{ message: expect.stringContaining("has approved already") }]);
    await give(undefined, undefined, yes("bob"));
    expect(await outcome).toEqual({ value: yes(`${first} + bob`) });
  });

  it.each([
    ["Ana Lee", "Analee"],
    ["José", "Jose"],
    ["ana@x", "ana@y"],
    ["ann+work@example.com", "bob+work@example.com"],
    ["ann+work@example.com", "ann+home@example.com"],
    ["ann+bob", "bob"],
    ["c++", "c"],
  ])("takes %j and %j for two", async (first, second) => {
    const { outcome, give } = put(2, 2);
    await give(yes(first), yes(second));
    expect(await outcome).toEqual({ value: yes(`${first} + ${second}`) });
  });

  it("denies, and calls the rest off, when approvals that do not count put it out of reach", async () => {
    const { outcome, give } = put(2, 3);
    expect(await give(yes("ana"), yes("ana"), "ask_unavailable")).toEqual([null, null, null]);
    expect(await outcome).toEqual(NOT_REACHED);
    const early = put(3, 4);
    expect(await early.give(yes("ana"), yes("ana"), yes("ana"))).toEqual([null, null, null, "ask_answered"]);
    expect(await early.outcome).toEqual({
      value: { resolution: "Deny", reason: "a quorum of 3 was not reached" },
    });
  });

  it.each([
    [["ask_unavailable", "ask_unavailable"], "ask_unavailable", "ask_cancelled"],
    [["ask_unavailable", "ask_expired"], "ask_expired", "ask_expired"],
    [[yes("ana"), "ask_unavailable", "ask_unavailable"], "ask_unavailable", null],
    [[yes("ana"), "ask_expired", "ask_unavailable"], "ask_expired", null],
  ])("of %j comes to %s", async (answers, code, last) => {
    const { outcome, give } = put(2, 3);
    expect((await give(...answers)).at(-1)).toBe(last);
    expect(await outcome).toEqual({ code });
  });

  it("asks nobody in vain when too few can be asked", async () => {
    const remote = new HeldMember();
    const composition = quorum(2, [() => true, remote]);
    expect(composition.interactive).toBe(false);
    const context = { ...wait().context, isNonInteractive: true };
    expect(await outcomeOf(composition.resolve(A, context))).toEqual({ code: "ask_unavailable" });
    expect(remote.isAsked).toBe(false);
    const { events, onReport } = reports();
    const down = quorum(2, [unavailableMember(), remote], { onReport });
    expect(await failureOf(down.resolve(A, wait().context))).toMatchObject({
      code: "ask_unavailable",
      cause: { message: "nobody is there" },
    });
    expect(remote.isAsked).toBe(false);
    expect(events).toEqual([]);
  });

  it("counts equal inputs together, however they are spelled, and other inputs apart", async () => {
    const { outcome, give } = put(2, 4);
    await give(
      yes("ana"),
      yes("bob", { modified_input: { a: 1, b: [2] } }),
      yes("cem", { modified_input: { a: 1, b: [3] } }),
      yes("dee", { modified_input: { b: [2], a: 1 } }),
    );
    expect(await outcome).toEqual({ value: yes("bob + dee", { modified_input: { a: 1, b: [2] } }) });
  });

  it("tells an input of null from no input", async () => {
    const { outcome, give } = put(2, 2);
    await give(yes("ana"), yes("bob", { modified_input: null }));
    expect(await outcome).toEqual(NOT_REACHED);
  });

  it("lets nobody approve two inputs", async () => {
    const { outcome, give } = put(2, 3);
    await give(yes("ana"), yes("bob", { modified_input: 1 }), yes("ana", { modified_input: 1 }));
    expect(await outcome).toEqual(NOT_REACHED);
  });

  it.each([
    [{ remember: "this_call" }, { remember: "this_call" }, { remember: "this_call" }],
    [{ remember: "session" }, { remember: "session" }, { remember: "session" }],
    [{ remember: "this_tool" }, { remember: "this_call" }, {}],
    [{ remember: "this_call" }, {}, {}],
    [{}, { remember: "this_call" }, {}],
    [
      { remember: "this_call", remember_until_ms: 9 },
      { remember: "this_call", remember_until_ms: 5 },
      { remember: "this_call", remember_until_ms: 5 },
    ],
    [
      { remember: "this_call" },
      { remember: "this_call", remember_until_ms: 5 },
      { remember: "this_call", remember_until_ms: 5 },
    ],
  ])("of %j and %j remembers %j", async (first, second, joint) => {
    const { outcome, give } = put(2, 2);
    await give(yes("ana", first), yes("bob", second));
    expect(await outcome).toEqual({ value: yes("ana + bob", joint) });
  });

  it("names a stored ask only where all answered the same", async () => {
    const same = put(2, 2);
    await same.give(yes("ana", { ask_id: "S" }), yes("bob", { ask_id: "S" }));
    expect(await same.outcome).toEqual({ value: yes("ana + bob", { ask_id: "S" }) });
    const apart = put(2, 2);
    await apart.give(yes("ana", { ask_id: "S" }), yes("bob"));
    expect(await apart.outcome).toEqual({ value: yes("ana + bob") });
  });

  it("counts a nested quorum once, and nobody in both", async () => {
    const nested = () => {
      const [one, two, three] = [new HeldMember(), new HeldMember(), new HeldMember()];
      const composition = quorum(2, [quorum(2, [one, two]), three], { onReport: () => {} });
      const outcome = outcomeOf(composition.resolve(A, wait().context));
      one.give(yes("ana"));
      two.give(yes("bob"));
      return { three, outcome };
    };
    const same = nested();
    await turn();
    same.three.give(yes("bob"));
    expect(await same.outcome).toEqual(NOT_REACHED);
    const other = nested();
    await turn();
    other.three.give(yes("cem"));
    expect(await other.outcome).toEqual({ value: yes("ana + bob + cem") });
  });

  it("of channels answered in one turn takes as many as it needs, and the next reads already_answered", async () => {
    const channels = ["ana", "bob", "cem"].map((name) => ({ name, ...ApprovalChannel.pair(1, SILENT) }));
    const composition = quorum(
      2,
      channels.map(({ resolver }) => resolver),
    );
    const outcome = outcomeOf(composition.resolve(A, wait().context));
    const statuses = channels.map(({ name, approver }) => approver.answer(A, yes(name)));
    expect(await Promise.all(statuses)).toEqual(["delivered", "delivered", "already_answered"]);
    expect(await outcome).toEqual({ value: yes("ana + bob") });
    expect(channels.map(({ resolver }) => resolver.load())).toEqual([EMPTY, EMPTY, EMPTY]);
  });

  it.each([0, -1, 1.5, Number.NaN, 3, "2"])("throws invalid_option for %s of two", (needed) => {
    expect(() => quorum(needed as number, [new HeldMember(), new HeldMember()])).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  });
});
