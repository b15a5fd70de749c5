/** The part of Linux' `/proc/<pid>/stat` (see proc(5)) that tells a process from others and from its remains. */
export interface ProcessStat {
  pid: number;
  /** field 22: clock ticks between boot and the process's start */
  startTime: string;
  /** it has ended and only waits for its parent to ask how; none of its threads is still inside the system */
  ended: boolean;
}

/** null where the text is not of that form. The command, field 2, may itself hold blanks and brackets. */
export function parseProcessStat(text: string): ProcessStat | null {
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, threads, startTime] = [fields[0], fields[17], fields[19]];
  if (!Number.isInteger(pid) || threads === undefined || startTime === undefined) return null;
  const onlyRemains = state === "Z" || state === "X" || state === "x";
  // The first thread of a killed process can be gone while another one still finishes a rename.
  return { pid, startTime, ended: onlyRemains && Number(threads) <= 1 };
}
