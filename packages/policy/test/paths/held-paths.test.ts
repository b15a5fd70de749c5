import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWithin } from "../../src/paths/fold-names.js";
import { HeldPaths } from "../../src/paths/held-paths.js";

const name = fc.constantFrom("a", "a-b", "a.b", "b", "é", "A");
const absolute = fc.array(name, { maxLength: 4 }).map((names) => `/${names.join("/")}`);

function held(paths: readonly string[]): HeldPaths {
  return new HeldPaths(paths.map((path, position) => ({ path, position })));
}

describe("paths found by a folder that holds them", () => {
  it("are those that a look at each of them finds, the first of the list", () => {
    fc.assert(
      fc.property(fc.array(absolute, { maxLength: 12 }), absolute, (paths, folder) => {
        const first = paths.findIndex((path) => isWithin(folder, path));
        expect(held(paths).firstIn(folder)).toBe(first === -1 ? Number.POSITIVE_INFINITY : first);
      }),
    );
  });

  it("are none that only begins alike", () => {
    expect(held(["/w/app-old", "/w/app.x", "/w/app/x"]).firstIn("/w/app")).toBe(2);
    expect(held(["/w/app-old"]).firstIn("/w/app")).toBe(Number.POSITIVE_INFINITY);
    expect(held([]).firstIn("/")).toBe(Number.POSITIVE_INFINITY);
  });

  it("are relative ones where the folder is `.` or above, but none that lead up or begin at the top", () => {
    const paths = held(["/etc", "../x", "..", "..x", "a"]);
    for (const folder of [".", "..", "../.."]) expect(paths.firstIn(folder)).toBe(3);
    expect(held(["/etc", "../x"]).firstIn(".")).toBe(Number.POSITIVE_INFINITY);
    expect(held(["a/b", "a"]).firstIn("a")).toBe(0);
  });
});
