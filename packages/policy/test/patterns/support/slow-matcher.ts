import { ANY, FOLDERS, RUN, SEGMENT_ANY, SEGMENT_RUN, type Token } from "../../../src/patterns/token.js";

/** What a matcher should answer, worked out by trying everything: only for short texts. */
export function slowMatches(tokens: readonly Token[], ending: string, text: string): boolean {
  const points = [...text];
  const known = new Map<string, boolean>();
  const rest = (token: number, at: number): boolean => {
    const key = `${token} ${at}`;
    const found = known.get(key) ?? tryAll(token, at);
    known.set(key, found);
    return found;
  };
  const tryAll = (index: number, at: number): boolean => {
    const token = tokens[index];
    const point = points[at];
    if (token === undefined) return point === undefined || ending.includes(point);
    if (typeof token === "string") {
      const wanted = [...token];
      return (
        wanted.every((each, offset) => points[at + offset] === each) && rest(index + 1, at + wanted.length)
      );
    }
    switch (token) {
      case ANY:
        return point !== undefined && rest(index + 1, at + 1);
      case SEGMENT_ANY:
        return point !== undefined && point !== "/" && rest(index + 1, at + 1);
      case RUN:
        return rest(index + 1, at) || (point !== undefined && rest(index, at + 1));
      case SEGMENT_RUN:
        return rest(index + 1, at) || (point !== undefined && point !== "/" && rest(index, at + 1));
      case FOLDERS:
        return (
          rest(index + 1, at) ||
          points.some((each, end) => end >= at && each === "/" && rest(index + 1, end + 1))
        );
    }
  };
  return rest(0, 0);
}

/** POLICY's words for a text pattern, by the same slow way. */
export function slowPatternMatches(pattern: string, text: string): boolean {
  if (pattern === "") return true;
  const prefix = /^(.*):\*?$/su.exec(pattern)?.[1];
  const tokens = [...(prefix ?? pattern)].map((point): Token => {
    if (point === "*") return RUN;
    return point === "?" ? ANY : point;
  });
  return slowMatches(tokens, prefix === undefined ? "" : " \t\n", text);
}
