import { grantStoreSuite } from "@x/conformance";
import { MemoryGrantStore } from "@x/permission-core";
import { it } from "vitest";

grantStoreSuite({ it, create: () => new MemoryGrantStore() });
