import type { ViteUserConfig } from "vitest/config";

export declare function testConfig(overrides?: NonNullable<ViteUserConfig["test"]>): ViteUserConfig;
