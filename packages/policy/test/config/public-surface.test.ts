import { expect, it } from "vitest";
import * as config from "../../src/config/index.js";

it("exports these names and no others", () => {
  expect(Object.keys(config).sort()).toEqual([
    "ProjectRuleResolver",
    "loadPermissionFiles",
    "nodeWorkspace",
    "policyCheck",
  ]);
});
