import { PermissionGateError } from "@x/permission-core";
import type { ToolMiddleware } from "../tool-middleware.js";
import { roleOf } from "./layer-role.js";

/** Refuses layers that do not make a safe pipeline, and freezes its gates. */
export function checkLayers(layers: readonly ToolMiddleware[], options: { ungated: boolean }): void {
  const innermostGate = layers.findLastIndex((layer) => roleOf(layer) === "gate");
  if (innermostGate === -1 && !options.ungated) {
    throw new PermissionGateError(
      "no_gate",
      "The pipeline has no PermissionMiddleware; add one, or call withoutGate() if nothing is to be gated.",
    );
  }
  layers.forEach((layer, index) => {
    if (index < innermostGate && roleOf(layer) === "memoize" && !allowedOutside(layer)) {
      throw new PermissionGateError(
        "invalid_option",
        "A MemoizeMiddleware stands outside a gate, where it would outlive a revoked grant or a new denial; " +
          "register it after the gate, or give it unsafeOutsideGate: true.",
      );
    }
  });
  for (const layer of layers) if (roleOf(layer) === "gate") (layer as { freeze?: () => void }).freeze?.();
}

function allowedOutside(layer: ToolMiddleware): boolean {
  return (layer as { unsafeOutsideGate?: boolean }).unsafeOutsideGate === true;
}
