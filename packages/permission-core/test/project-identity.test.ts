import { describe, expect, it } from "vitest";
import { projectIdentityFrom } from "../src/project-identity.js";

/** Real paths by path; whatever is not listed does not exist. */
const on = (real: { [path: string]: string }, cwd = "/srv") => ({
  cwd,
  realPath: (path: string) => (Object.hasOwn(real, path) ? (real[path] ?? null) : null),
});
const nothing = on({});

describe("projectIdentityFrom", () => {
  it.each([
    ["/projects/alpha", nothing, "/projects/alpha", "875b61f8ea0be217"],
    ["/projects/beta", nothing, "/projects/beta", "2a4261b2f6303ce3"],
    ["/projects/./alpha", nothing, "/projects/alpha", "875b61f8ea0be217"],
    ["/projects//alpha", nothing, "/projects/alpha", "875b61f8ea0be217"],
    ["/real/alpha", on({ "/real/alpha": "/real/alpha" }), "/real/alpha", "b1a1c69db1a40db5"],
    ["/link/alpha", on({ "/link/alpha": "/real/alpha" }), "/real/alpha", "b1a1c69db1a40db5"],
    ["/real/dangling", on({ "/real": "/real" }), "/real/dangling", "d4fb59e8a7f7fce3"],
  ])("takes %s for its project", (path, options, spelling, id) => {
    expect(projectIdentityFrom(path, options)).toEqual({ spelling, id });
  });

  it("keeps the identity of a project that was bound before its folder existed", () => {
    const before = projectIdentityFrom("/link/new", on({ "/link": "/real" }));
    const after = projectIdentityFrom("/link/new", on({ "/link": "/real", "/link/new": "/real/new" }));
    expect(before).toEqual(after);
    expect(projectIdentityFrom("new/", on({ "/link": "/real" }, "/link"))).toEqual(after);
  });

  it("keeps .. and a trailing slash where nothing exists", () => {
    expect(projectIdentityFrom("/a/../b/", nothing).spelling).toBe("/a/../b/");
    expect(projectIdentityFrom("/a/b/..", on({ "/a/b": "/a/b" })).spelling).toBe("/a/b/..");
  });

  it.each([
    ["x", "/srv/x"],
    ["./x", "/srv/x"],
    [".", "/srv"],
    ["./", "/srv/"],
    ["..", "/srv/.."],
    ["/", "/"],
    ["//host/x", "//host/x"],
    ["///host/x", "/host/x"],
    ["C:x", "/srv/C:x"],
  ])("spells %s as %s", (path, spelling) => {
    expect(projectIdentityFrom(path, nothing).spelling).toBe(spelling);
  });

  it("joins the name to a parent that is the root", () => {
    expect(projectIdentityFrom("/x", on({ "/": "/" })).spelling).toBe("/x");
  });

  it("takes a path that cannot be made absolute as given", () => {
    expect(projectIdentityFrom("", nothing)).toEqual({ spelling: "", id: "cbf29ce484222325" });
    expect(projectIdentityFrom("./x", on({}, "")).spelling).toBe("./x");
    expect(projectIdentityFrom("./x", on({}, "relative")).spelling).toBe("./x");
  });

  it("goes on to the next step where the look-up throws", () => {
    const realPath = (path: string) => {
      if (path === "/link/x") throw new Error("loop");
      return path === "/link" ? "/real" : null;
    };
    expect(projectIdentityFrom("/link/x", { cwd: "/", realPath }).spelling).toBe("/real/x");
  });

  it.each([
    ["C:\\projects\\.\\alpha", "/srv", "C:\\projects\\alpha"],
    ["c:/projects//alpha/", "/srv", "C:\\projects\\alpha\\"],
    ["C:\\", "/srv", "C:\\"],
    ["\\\\server\\share\\x", "/srv", "\\\\server\\share\\x"],
    ["x\\y", "D:\\work", "D:\\work\\x\\y"],
    ["\\x", "D:\\work", "D:\\x"],
    ["/x", "D:\\work", "D:\\x"],
    ["d:x", "D:\\work", "D:\\work\\x"],
    ["E:x", "D:\\work", "E:x"],
  ])("spells %s under %s as %s", (path, cwd, spelling) => {
    expect(projectIdentityFrom(path, on({}, cwd)).spelling).toBe(spelling);
  });

  it("counts a drive letter of either case as one", () => {
    const realPath = (path: string) => path.replace(/^C/, "c");
    expect(projectIdentityFrom("c:\\x", { cwd: "C:\\", realPath }).spelling).toBe("C:\\x");
    expect(projectIdentityFrom("c:\\new", on({ "C:\\": "c:\\" })).spelling).toBe("C:\\new");
  });
});
