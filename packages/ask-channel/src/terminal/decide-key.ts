import { displaySafe } from "@x/permission-core";
import type { Key } from "./key-parser.js";

export interface KeySituation {
  /** `choosing`: the list of answers is on screen; `commenting`: the field for a comment. */
  mode: "choosing" | "commenting";
  /** Whether the list has been on screen long enough for a key to be meant for it. */
  deliberate: boolean;
}

/** `pass`: goes to what is on screen; `deny`: the answer is no, at once; `drop`: nothing happens. */
export type KeyDecision = "pass" | "deny" | "drop";

/**
 * What a key may do. Keys that deny always work. Everything else waits until it can be meant: what was typed for
 * another program, or pasted, can neither approve nor move the selection. Letters never move it, so text that runs
 * on into the list ends, if in anything, in a denial. While a comment is edited, no key of the text decides.
 */
export function decideKey(key: Key, situation: KeySituation): KeyDecision {
  if (key.name === "interrupt" || key.name === "end_of_input") return "deny";
  return situation.mode === "choosing" ? decideChoosing(key, situation.deliberate) : decideCommenting(key);
}

function decideChoosing(key: Key, deliberate: boolean): KeyDecision {
  if (key.name === "escape") return "deny";
  if (key.name === "character" && key.text.toLowerCase() === "n") return "deny";
  if (!deliberate) return "drop";
  return key.name === "up" || key.name === "down" || key.name === "enter" ? "pass" : "drop";
}

function decideCommenting(key: Key): KeyDecision {
  switch (key.name) {
    case "character":
      return displaySafe(key.text).escaped ? "drop" : "pass";
    case "enter":
    case "escape":
    case "left":
    case "right":
    case "home":
    case "end":
    case "backspace":
    case "delete":
      return "pass";
    default:
      return "drop";
  }
}
