/** Where paths start that do not say it themselves. */
export interface Places {
  readonly platform: "posix" | "win32";
  /** absolute, `/` as separator, without one at its end */
  readonly root: string;
  /** the same of the home folder; null: it is not known */
  readonly home: string | null;
}

/** A path taken apart, before `..` is folded. */
export interface PlacedPath {
  /** what no `..` leaves: empty on posix, `C:` or `//server/share` on win32 */
  readonly top: string;
  /** the names of the folder that it starts from, if it is relative to one */
  readonly base: readonly string[];
  /** the names it adds, without empty ones and `.` */
  readonly names: readonly string[];
  readonly from: "top" | "root" | "home";
  /** it may be another file for whoever opens it */
  readonly doubtful: boolean;
}

/** Takes an absolute path apart, one that starts at the home folder (`~/x`), or one relative to the root. */
export function placePath(path: string, places: Places): PlacedPath {
  if (path === "~" || path.startsWith("~/")) return placeAtHome(path, places);
  return places.platform === "win32" ? placeOnWindows(path, places) : placeOnPosix(path, places);
}

/** With `/` as separator on every platform. */
export function withSlashes(path: string, platform: Places["platform"]): string {
  return platform === "win32" ? path.replaceAll("\\", "/") : path;
}

export function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function placeAtHome(path: string, places: Places): PlacedPath {
  if (places.home === null) return { ...atRoot(path, places), doubtful: true };
  const home = placeAbsolute(places.home, places.platform);
  const base = home?.names ?? [];
  return { top: home?.top ?? "", base, names: namesOf(path.slice(1)), from: "home", doubtful: false };
}

function placeOnPosix(path: string, places: Places): PlacedPath {
  const absolute = placeAbsolute(path, "posix");
  if (absolute !== null) return { ...absolute, base: [], from: "top", doubtful: false };
  return atRoot(path, places);
}

function placeOnWindows(given: string, places: Places): PlacedPath {
  const path = withoutDevice(given);
  return path === given
    ? placePlainOnWindows(path, places)
    : { ...placePlainOnWindows(path, places), doubtful: true };
}

/** Without what asks for a device, as often as it is likely to stand there. */
function withoutDevice(path: string): string {
  let plain = path;
  for (let count = 0; count < MOST_DEVICES; count++) {
    const [device, share] = DEVICE.exec(plain) ?? [];
    if (device === undefined) return plain;
    plain = (share === undefined ? "" : "//") + plain.slice(device.length);
  }
  return plain;
}

function placePlainOnWindows(path: string, places: Places): PlacedPath {
  const absolute = placeAbsolute(path, "win32");
  if (absolute !== null) return { ...absolute, base: [], from: "top", doubtful: false };
  const root = placeAbsolute(places.root, "win32");
  if (path.startsWith("/"))
    return {
      top: root?.top ?? "",
      base: [],
      names: namesOf(path),
      from: "top",
      // Two of them, and no server.
      doubtful: path.startsWith("//"),
    };
  // `C:x` starts at whatever folder that drive stands at.
  const drive = DRIVE.exec(path)?.[0].toUpperCase();
  if (drive === undefined) return atRoot(path, places);
  const inside = atRoot(path.slice(2), places);
  return drive === inside.top
    ? { ...inside, doubtful: true }
    : { top: drive, base: [], names: namesOf(path.slice(2)), from: "top", doubtful: true };
}

function atRoot(path: string, { root, platform }: Places): PlacedPath {
  const placed = placeAbsolute(root, platform);
  const base = placed?.names ?? namesOf(root);
  return { top: placed?.top ?? "", base, names: namesOf(path), from: "root", doubtful: isAnothersHome(path) };
}

/** `~somebody/x`: whether that is a name or a home depends on who opens it. */
function isAnothersHome(path: string): boolean {
  return path.startsWith("~");
}

/** null: the path is not absolute. */
function placeAbsolute(path: string, platform: Places["platform"]): { top: string; names: string[] } | null {
  if (platform === "posix") return path.startsWith("/") ? { top: "", names: namesOf(path) } : null;
  const share = SHARE.exec(path)?.[0];
  if (share !== undefined) return { top: share, names: namesOf(path.slice(share.length)) };
  const drive = ABSOLUTE_DRIVE.exec(path)?.[0];
  return drive === undefined ? null : { top: drive.toUpperCase(), names: namesOf(path.slice(2)) };
}

const MOST_DEVICES = 4;
const DRIVE = /^[A-Za-z]:/;
const ABSOLUTE_DRIVE = /^[A-Za-z]:(?=\/|$)/;
/** Server and share, neither of them `.` or `..`. */
const SHARE = /^\/\/(?!\.{1,2}(?:\/|$))[^/]+(?:\/(?!\.{1,2}(?:\/|$))[^/]+)?/;
/** What asks the system for the rest as it stands: `\\?\C:\x`, `\\.\C:\x`, `\??\C:\x`, `\\?\UNC\server\share`. */
const DEVICE = /^(?:\/\/[?.]|\/\?\?)\/(UNC\/)?/i;
