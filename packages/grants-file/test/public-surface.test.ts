import { expect, it } from "vitest";
import * as surface from "../src/index.js";

it("exports two classes, with these members", () => {
  expect(Object.keys(surface)).toEqual(["FileClaimStore", "FileGrantStore"]);
  expect(Object.getOwnPropertyNames(surface.FileGrantStore.prototype).sort()).toEqual([
    "clear",
    "constructor",
    "find",
    "load",
    "loadTexts",
    "revoke",
    "save",
    "saveText",
  ]);
});
