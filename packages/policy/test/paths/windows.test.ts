import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { resolvePath } from "../../src/paths/resolve-path.js";

const workspace = memoryWorkspace(
  {
    "C:\\w\\src\\a.ts": "",
    "C:\\w\\out": { link: "C:\\Windows" },
    "C:\\Windows\\win.ini": "",
    "C:\\Users\\u\\notes.md": "",
  },
  { platform: "win32", home: "C:\\Users\\u" },
);
const resolve = (path: string) => resolvePath(path, { workspace });

describe("resolvePath on Windows", () => {
  it.each([
    ["src\\a.ts", "C:/w/src/a.ts"],
    ["src/a.ts", "C:/w/src/a.ts"],
    ["c:\\w\\src\\a.ts", "C:/w/src/a.ts"],
    ["C:/w/src/../src\\.\\a.ts", "C:/w/src/a.ts"],
    ["..\\..\\..\\Windows", "C:/Windows"],
    ["\\Windows\\win.ini", "C:/Windows/win.ini"],
    ["C:\\", "C:/"],
    ["C:\\..\\..", "C:/"],
    ["~\\notes.md", "C:/Users/u/notes.md"],
    ["src\\a.ts.", "C:/w/src/a.ts"],
    ["src. .\\a.ts ", "C:/w/src/a.ts"],
    ["src\\%2e%2e\\a", "C:/w/src/%2e%2e/a"],
  ])("takes %j for %s", (path, normal) => {
    expect(resolve(path)).toMatchObject({ written: path, normal, unresolved: false });
  });

  it.each([
    ["relative to what a drive stands at", "C:src\\a.ts", "C:/w/src/a.ts"],
    ["relative to what another drive stands at", "D:x", "D:/x"],
    ["a device path of a file", "\\\\?\\C:\\w\\src\\a.ts", "C:/w/src/a.ts"],
    ["a device path with a dot", "\\\\.\\C:\\w\\src\\a.ts", "C:/w/src/a.ts"],
    ["an object path", "\\??\\C:\\w\\src\\a.ts", "C:/w/src/a.ts"],
    ["a device path of a share", "\\\\?\\UNC\\server\\share\\x", "//server/share/x"],
    ["a device", "\\\\.\\PhysicalDrive0", "C:/w/PhysicalDrive0"],
    ["of a server that is none", "\\\\..\\x", "C:/x"],
    ["of no server", "\\\\.", "C:/"],
    ["a stream", "src\\a.ts::$DATA", "C:/w/src/a.ts"],
    ["a named stream", "src\\a.ts:hidden", "C:/w/src/a.ts"],
    ["a name of dots", "src\\...\\a", "C:/w/src/.../a"],
    ["on a drive that is not there", "D:\\x", "D:/x"],
  ])("leaves a path %s unresolved", (_, path, normal) => {
    expect(resolve(path)).toMatchObject({ normal, unresolved: true, inWorkspace: false });
  });

  it("takes server and share of a network path for its top", () => {
    expect(resolve("\\\\server\\share\\a\\..\\..\\b").normal).toBe("//server/share/b");
    expect(resolve("//server/share").normal).toBe("//server/share/");
    expect(resolve("\\\\server\\share\\a")).toMatchObject({ inWorkspace: false });
  });

  it("follows links and spells real paths with the same separator", () => {
    expect(resolve("out\\win.ini")).toMatchObject({ real: "C:/Windows/win.ini", inWorkspace: false });
    expect(resolve("SRC\\A.ts")).toMatchObject({
      normal: "C:/w/SRC/A.ts",
      real: "C:/w/src/a.ts",
      inWorkspace: true,
    });
    expect(resolve("src\\new.ts")).toMatchObject({ real: "C:/w/src/new.ts", inWorkspace: true });
  });
});
