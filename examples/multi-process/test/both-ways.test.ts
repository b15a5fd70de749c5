import { describe, expect, it } from "vitest";
import { ProgramRun } from "./support/run-program.js";

/** Generous: the longest wait of a run is its deadline of 8 s. */
const WITHIN_MS = 90_000;

const MODES = [
  {
    mode: "in processes, on a Redis of its own",
    args: [],
    where: /^a process for each, and Redis: 127\.0\.0\.1:\d+, started for this run$/,
    left: "0 asks waiting, 0 claims open, 0 keys without an end",
  },
  {
    mode: "in one process",
    args: ["--local"],
    where: /^one process, a file for grants, and asks in memory$/,
    left: "0 asks waiting",
  },
];

describe.each(MODES)("a run $mode", ({ args, where, left }) => {
  it(
    "decides each call once, remembers across workers, and leaves nothing",
    async () => {
      const run = new ProgramRun(args);
      expect(await run.ended, run.stderr).toBe(0);

      expect(run.stderr).toBe("");
      expect(run.facts("where")).toEqual([expect.stringMatching(where)]);
      expect(run.rows).toEqual([
        ["worker-1/1", "add_note", "ask_allowed", "desk", "completed", "1"],
        ["worker-1/2", "list_notes", "allow", "a check", "completed", "1"],
        ["worker-1/3", "publish", "ask_allowed", "ana", "completed", "1"],
        ["worker-2/1", "add_note", "allow", "a grant", "completed", "1"],
        ["worker-2/2", "delete_note", "ask_denied", "desk", "denied", "1"],
        ["worker-2/3", "publish", "ask_denied", "bob", "denied", "1"],
        ["worker-3/1", "add_note", "allow", "a grant", "completed", "1"],
        ["worker-3/2", "list_notes", "allow", "a check", "completed", "1"],
        ["worker-3/3", "publish", "ask_expired", "nobody", "denied", "1"],
      ]);
      // Of what was denied or has expired nothing was written; of the rest everything once.
      expect(run.facts("written")).toEqual([
        "notes/monday.txt (1 line)",
        "notes/tuesday.txt (1 line)",
        "notes/wednesday.txt (1 line)",
        "outbox/team.txt (1 line)",
      ]);
      expect(run.facts("remembered")).toEqual(["Allow every call of add_note, by desk"]);
      expect(run.facts("left")).toEqual([left]);
      expect(run.facts("ended")).toEqual(["6 of 6 that were started"]);
      expect(run.hasProcesses).toBe(false);
      expect(run.files).toEqual([]);
    },
    WITHIN_MS,
  );

  it(
    "stops everything at Ctrl-C, and what waits then does not run",
    async () => {
      const run = new ProgramRun(args);
      await run.parked("worker-3/3");
      run.interrupt("SIGINT");
      expect(await run.ended, run.stderr).toBe(130);

      expect(run.rows.at(-1)).toEqual(["worker-3/3", "publish", "cancelled", "nobody", "cancelled", "1"]);
      expect(run.facts("written").join()).not.toContain("everybody");
      expect(run.hasProcesses).toBe(false);
      expect(run.files).toEqual([]);
    },
    WITHIN_MS,
  );
});
