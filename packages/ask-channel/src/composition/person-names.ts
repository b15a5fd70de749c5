/** Characters that show nothing: controls, formats, private and unassigned code points, fillers, and a few blank letters. */
const INVISIBLE =
  /[^\P{C}\t-\r]|[\p{Default_Ignorable_Code_Point}\u{2800}\u{fffc}\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;

/** What joins the names of those whose approvals were counted as one. */
export const JOINT = " + ";

/** What of a joint is left at the ends of a name beside which nobody else is named. */
const LOOSE_JOINTS = /^(\+ )+|( \+)+$/g;

/**
 * The persons that a `decided_by` names, joined by ` + `: `ann+work@example.com` is one name, and no other than that of
 * `bob+work@example.com`. Two names are one person where they differ in case, width, space, invisible characters, or the
 * spelling of the same letters only. Look-alike letters stay apart.
 */
export function personsOf(decidedBy: string): string[] {
  return (
    decidedBy
      .replace(INVISIBLE, "")
      .normalize("NFKC")
      // Upper case first: `ß` and the two forms of `σ` are told apart in lower case only.
      .toUpperCase()
      .toLowerCase()
      .normalize("NFKC")
      .replace(/\s+/g, " ")
      .split(JOINT)
      .map((name) => name.trim().replace(LOOSE_JOINTS, ""))
      .filter((name) => name !== "" && name !== "+")
  );
}
