import { fnv1a64 } from "./fnv1a64.js";

export interface ProjectIdentity {
  /** the path that stands for the project */
  spelling: string;
  /** 16 hex, the FNV-1a of the spelling's UTF-8: the name of the project's folder or key */
  id: string;
}

export interface ProjectIdentityOptions {
  /** The path with its links resolved; null where it does not exist. What it throws counts as not resolvable. */
  realPath(path: string): string | null;
  /** the folder that relative paths start from; absolute */
  cwd: string;
}

/**
 * Which project a folder is, by the first of these that there is: its real path; its real parent and its own name; its
 * absolute path with `.` and doubled slashes removed, while `..` and a trailing slash stay; the path as given. A project
 * bound before its folder exists therefore keeps its identity once the folder is made.
 *
 * A path that begins with a drive letter or two backslashes is a Windows path, and so is a relative one under such a
 * `cwd`: both slashes separate, the drive letter counts in upper case.
 */
export function projectIdentityFrom(path: string, options: ProjectIdentityOptions): ProjectIdentity {
  const spelling = spellingOf(path, options);
  return { spelling, id: fnv1a64(spelling) };
}

interface AbsolutePath {
  /** `/`, `//`, `C:\` or `\\` */
  root: string;
  separator: "/" | "\\";
  /** without `.` and without empty ones */
  names: string[];
  trailing: boolean;
}

function spellingOf(given: string, { realPath, cwd }: ProjectIdentityOptions): string {
  const path = toAbsolute(given, cwd);
  if (path === null) return given;
  const real = resolved(realPath, spell(path));
  if (real !== null) return withUpperCaseDrive(real);
  const name = path.names.at(-1);
  if (name !== undefined && name !== "..") {
    const parent = resolved(realPath, spell({ ...path, names: path.names.slice(0, -1), trailing: false }));
    if (parent !== null) return withUpperCaseDrive(join(parent, path.separator, name));
  }
  return spell(path);
}

function resolved(realPath: ProjectIdentityOptions["realPath"], path: string): string | null {
  try {
    return realPath(path);
  } catch {
    return null;
  }
}

/** Null where the path cannot be made absolute: it is empty, or relative to a `cwd` that is not absolute itself. */
function toAbsolute(path: string, cwd: string): AbsolutePath | null {
  if (path === "") return null;
  const windows = parseWindows(path);
  if (windows !== null) return windows;
  const base = parseWindows(cwd) ?? parsePosix(cwd);
  if (base === null) return null;
  if (base.separator === "/") return parsePosix(path) ?? parsePosix(`${cwd}/${path}`);
  const driveRelative = /^([A-Za-z]:)(.*)$/s.exec(path);
  if (driveRelative !== null) {
    const [, drive = "", rest = ""] = driveRelative;
    return base.root === `${drive.toUpperCase()}\\` ? parseWindows(`${cwd}\\${rest}`) : null;
  }
  return parseWindows(/^[\\/]/.test(path) ? `${base.root}${path}` : `${cwd}\\${path}`);
}

function parsePosix(path: string): AbsolutePath | null {
  if (!path.startsWith("/")) return null;
  // POSIX leaves the meaning of exactly two leading slashes to the system.
  const root = /^\/\/(?!\/)/.test(path) ? "//" : "/";
  return { root, separator: "/", names: namesOf(path.split("/")), trailing: path.endsWith("/") };
}

function parseWindows(path: string): AbsolutePath | null {
  const match = /^(?:([A-Za-z]):[\\/]|\\\\)(.*)$/s.exec(path);
  if (match === null) return null;
  const [, drive, rest = ""] = match;
  const root = drive === undefined ? "\\\\" : `${drive.toUpperCase()}:\\`;
  return { root, separator: "\\", names: namesOf(rest.split(/[\\/]/)), trailing: /[\\/]$/.test(rest) };
}

function namesOf(parts: string[]): string[] {
  return parts.filter((part) => part !== "" && part !== ".");
}

function spell({ root, separator, names, trailing }: AbsolutePath): string {
  return `${root}${names.join(separator)}${trailing && names.length > 0 ? separator : ""}`;
}

function join(parent: string, separator: string, name: string): string {
  return parent.endsWith(separator) ? `${parent}${name}` : `${parent}${separator}${name}`;
}

function withUpperCaseDrive(path: string): string {
  return path.replace(/^[a-z](?=:[\\/])/, (drive) => drive.toUpperCase());
}
