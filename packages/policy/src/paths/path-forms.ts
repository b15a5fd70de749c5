/** The forms under which rules may know a path. */
export interface PathForms {
  /** as it was given */
  readonly written: string;
  /** absolute where there is a workspace, `.` and `..` folded, `~` resolved; `/` as separator on every platform */
  readonly normal: string;
  /**
   * Where its links lead; of a file that does not exist yet, the real path of its nearest folder that does, and the rest.
   * null: there is no workspace to ask.
   */
  readonly real: string | null;
  /** the link is broken, loops or could not be followed: no allow covers it */
  readonly unresolved: boolean;
  /** inside the workspace by `normal` and by `real`; null: there is no workspace */
  readonly inWorkspace: boolean | null;
  /**
   * Of a path that looks like one of Windows, what it is there; null: it does not, or a workspace says which system it is for.
   */
  readonly windows: PathForms | null;
}
