import { permissionStoreSuite } from "@x/conformance";
import { describe, it } from "vitest";
import { MemoryPermissionStore } from "../../src/index.js";

describe("MemoryPermissionStore", () => {
  permissionStoreSuite({ it, create: () => new MemoryPermissionStore(), mostRules: 256 });
});
