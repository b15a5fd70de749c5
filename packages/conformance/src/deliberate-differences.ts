/** A vector whose reference answer this project does not give, on purpose. */
export interface DeliberateDifference {
  /** of the vector */
  id: string;
  /** what the difference is about */
  section: string;
  reason: string;
}

/** At most 15: beyond that, it would be another product. A test on each asserts that the reference's answer is not met. */
export const deliberateDifferences: readonly DeliberateDifference[] = [
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
];
