/** `path` as it is named from where the line starts. */
export function joinFolder(folder: string | null, path: string): string | null {
  if (/^(?:\/|~(?:\/|$))/.test(path)) return path;
  if (folder === null) return null;
  return folder === "" ? path : `${folder.replace(/\/$/, "")}/${path}`;
}
