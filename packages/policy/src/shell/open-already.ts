import { joinFolder } from "./join-folder.js";
import type { ReadWord } from "./read-word.js";

/** What the names of open files under `/dev` and `/proc` stand for. */
export type OpenFile = "nothing" | "input" | "output" | "any";

/** Where it is not known what comes before `..`, such an ending says enough. */
const OPEN = /^(?:dev\/(?:std(?:in|out|err)|fd)|proc\/(?:self|thread-self|\d+))(?:\/|$)/;
const OPEN_ANYWHERE = new RegExp(`(?:^|/)${OPEN.source.slice(1)}|(?:^|/)(?:self/)?fd/\\d+$`);
const OUTPUT = /^\/dev\/(?:stdout|stderr|fd\/[12])$/;
const INPUT = /^\/dev\/(?:stdin|fd\/0)$/;

/**
 * Whether a path names what is open already; null: it does not. Opening it anew for writing empties the file behind it, though
 * it was opened for reading. Dots and doubled slashes hide nothing.
 */
export function openFile(path: string, folder: string | null): OpenFile | null {
  if (folder === "" && path[0] !== "/" && !path.includes("..")) return null;
  if (path === "/dev/null") return "nothing";
  if (OUTPUT.test(path)) return "output";
  if (INPUT.test(path)) return "input";
  const whole = joinFolder(folder, path) ?? path;
  const climbs = /(?:^|\/)\.\.(?:\/|$)/.test(whole);
  if (!whole.startsWith("/") && !climbs) return null;
  const names: string[] = [];
  for (const name of whole.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return (climbs ? OPEN_ANYWHERE : OPEN).test(names.join("/")) ? "any" : null;
}

const CONNECTIONS: readonly string[] = ["/dev/tcp/", "/dev/udp/"];

/** Whether bash may open a connection for a redirect to this word. */
export function mayConnect(word: ReadWord): boolean {
  if (/^(?:\$HOME|\$\{HOME\}|~)(?:\/[^$`{]*)?$/.test(word.loose)) return false;
  const known = word.value ?? word.loose.replace(/[$`{~][\s\S]*$/, "");
  return CONNECTIONS.some(
    (connection) => known.startsWith(connection) || (word.value === null && connection.startsWith(known)),
  );
}

/** Whether it does so for sure, or was written to. */
export function connects(word: ReadWord): boolean {
  if (CONNECTIONS.some((connection) => word.loose.startsWith(connection))) return true;
  if (word.value !== null) return false;
  // Braces of one give one word, and a default may be the address.
  return (
    (word.expansions.includes("brace") && mayConnect(word)) ||
    CONNECTIONS.some((connection) => word.loose.includes(connection))
  );
}
