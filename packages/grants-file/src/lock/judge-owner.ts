import type { LockOwner } from "./lock-owner.js";

/** What can be seen of the process of a number. `startTime` is null where the system does not tell. */
export type Sighting = { kind: "none" } | { kind: "running"; startTime: string | null };

/**
 * `dead` only where that is certain: the owner's number means a process of ours and none of that number runs, or one that
 * began at another time. `foreign`: of another computer, boot, container or unknown place, so nothing can be said of it.
 */
export type OwnerState = "running" | "dead" | "foreign";

export function judgeOwner(
  owner: LockOwner,
  ourPlace: string | null,
  sight: (pid: number) => Sighting,
): OwnerState {
  if (owner.place === null || owner.place !== ourPlace) return "foreign";
  const seen = sight(owner.pid);
  if (seen.kind === "none") return "dead";
  if (owner.startTime === null || seen.startTime === null) return "running";
  return owner.startTime === seen.startTime ? "running" : "dead";
}
