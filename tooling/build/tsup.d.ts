import type { Options } from "tsup";

export interface PackageConfig {
  /** Output name to source file. */
  entry: Record<string, string>;
  /** `neutral` breaks the build on any Node built-in. Default `node`. */
  platform?: "node" | "neutral";
  /** Packages of this repository that are not published: bundled into all files. */
  bundle?: string[];
  /** ESM-only dependencies that are bundled into the CommonJS files. */
  bundleInCjs?: string[];
  /** A library of TypeScript's that the declarations need and that is no default one, such as `esnext.disposable`. */
  lib?: string;
}
export declare function packageConfig(config: PackageConfig): Options | Options[];
export declare function programConfig(config: Pick<PackageConfig, "entry">): Options;
