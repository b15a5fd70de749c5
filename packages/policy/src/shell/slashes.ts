/** A path without the slashes at its end, in time that its length bounds. */
export function withoutEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}
