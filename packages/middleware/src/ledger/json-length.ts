import type { JsonValue } from "@x/permission-core";

/** Whether the JSON text of `value` has at most `most` characters. Looks at no more of it than that takes to tell. */
export function fitsJsonText(value: JsonValue, most: number): boolean {
  return roomAfter(value, most) >= 0;
}

/** What is left of `room` once `value` is written; below 0, as soon as that is certain, where it does not fit. */
function roomAfter(value: JsonValue, room: number): number {
  // No text is shorter in JSON: of one that is too long as it is, none is made.
  if (typeof value === "string") return value.length > room ? -1 : room - JSON.stringify(value).length;
  if (typeof value !== "object" || value === null) return room - JSON.stringify(value).length;
  const members = Object.entries(value);
  const separators = Math.max(0, members.length - 1);
  let left = room - "[]".length - separators;
  for (const [key, member] of members) {
    if (left < 0) return left;
    if (!Array.isArray(value)) left = roomAfter(key, left) - ":".length;
    if (left >= 0) left = roomAfter(member, left);
  }
  return left;
}
