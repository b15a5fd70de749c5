import type { ToolMiddleware } from "../tool-middleware.js";

/**
 * The key under which a layer says what it is. A registered symbol, since two copies of this package can be loaded at
 * once and `instanceof` would then not recognise the other's layers.
 */
export const LAYER_ROLE: unique symbol = Symbol.for("@x/middleware/layer-role");

/** What a pipeline has to know of a layer in order to judge where it stands. */
export type LayerRole = "gate" | "memoize" | "timeout";

/** The role that `layer` declares under {@link LAYER_ROLE}; null where it declares none, or one that is not known here. */
export function roleOf(layer: ToolMiddleware): LayerRole | null {
  const role = (layer as { readonly [LAYER_ROLE]?: unknown })[LAYER_ROLE];
  return role === "gate" || role === "memoize" || role === "timeout" ? role : null;
}
