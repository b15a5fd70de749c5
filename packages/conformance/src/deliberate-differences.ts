/** A vector or a case whose answer this project does not give, on purpose. */
export interface DeliberateDifference {
  /** of the vector, or of the case */
  id: string;
  /** what the difference is about */
  section: string;
  reason: string;
}

/**
 * At most 15 from each reference, and as many cases: beyond that, it would be another product. Of a vector a test asserts
 * that the reference's answer is not met; of a case the test that bears its id asserts this project's answer.
 */
export const deliberateDifferences: readonly DeliberateDifference[] = [
  {
    id: "loopctl/approver-channel/03-late-answer",
    section: "ask channels",
    reason:
      "An ask that ended in the queue is skipped. The reference still delivers it, and its approver decides something that nobody waits for.",
  },
  {
    id: "loopctl/approver-channel/10-backpressure-with-deadline",
    section: "ask channels",
    reason: "As with one ask alone: of those that expired unread none is delivered, not even the first.",
  },
  {
    id: "loopctl/approver-channel/11-answer-before-delivery",
    section: "ask channels",
    reason:
      "An answer by id ends the wait at once, also of an ask that still waits for room in the queue. In the reference it counts only once the ask went through the queue, so a full queue that nobody reads holds back an approval that was given.",
  },
  {
    id: "loopctl/approver-channel/14-drop-log",
    section: "ask channels",
    reason:
      "Closing an approver is a choice, and whoever waits is answered with a denial: nothing is logged at debug. Only an approver that was lost is reported.",
  },
  {
    id: "loopctl/serialized/10-a-check-has-no-serial-form",
    section: "wire forms",
    reason: "Checks are plain objects, so that a policy in another process can send one.",
  },
  {
    id: "loopctl/evaluate/07-synthetic-context",
    section: "gate",
    reason:
      "A call's context names no working folder, neither on a dry run nor else: a browser has none, and a policy that needs one is given it.",
  },
  {
    id: "loopctl/grant-ledger/13-corrupt-file-load",
    section: "grants",
    reason:
      "The message says at which line and column the ledger is damaged, and the code that it is: who must mend the file by hand needs both.",
  },
  {
    id: "loopctl/grant-ledger/19-not-utf-8",
    section: "grants",
    reason:
      "A ledger that is not UTF-8 is a damaged ledger like any other, with line and column, and no failure to read: the disk is well.",
  },
  {
    id: "mecatl/evaluate/64-learned-star-matches-its-own-literal",
    section: "rules, section 6: shell",
    reason:
      "A program name with a wildcard is not static: the shell puts in its place whatever file it finds. Such a command is opaque, and what is opaque no rule allows, not even an exact one.",
  },
  {
    id: "mecatl/evaluate/85-imported-domain-form-never-equals-a-url",
    section: "rules, section 2: patterns",
    reason: "For addresses `domain:example.com` is that host and its subdomains, so that it matches.",
  },
  {
    id: "CASE-109",
    section: "grants",
    reason:
      "The case takes over by renaming the stale lock, and by then it may be another's live lock. The right to remove a dead owner is itself taken by link, for exactly that owner; what the case is about holds: at most one holder.",
  },
  {
    id: "CASE-127",
    section: "gate",
    reason:
      "The tool runs what the approver gave, and the record keeps the digest of the model's call, so that a record and its ask name one call. What ran is told beside it, as the effective digest.",
  },
];
