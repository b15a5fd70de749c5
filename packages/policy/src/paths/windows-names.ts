/**
 * Names as Windows reads them: dots and spaces at the end of one do not count, and what follows a colon is a stream of the
 * same file. `doubtful`: a name has a stream, or nothing is left of it.
 */
export function windowsNames(names: readonly string[]): { names: string[]; doubtful: boolean } {
  let doubtful = false;
  const read = names.map((name) => {
    if (name === "..") return name;
    const [file = ""] = name.split(":", 1);
    const kept = withoutEnd(file);
    if (file !== name || kept === "") doubtful = true;
    return kept === "" ? name : kept;
  });
  return { names: read, doubtful };
}

function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end -= 1;
  return name.slice(0, end);
}
