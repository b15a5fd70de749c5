import ipaddr from "ipaddr.js";

/** All that is given out for the public network of IPv6: what lies elsewhere is reserved, mapped, or embeds an address of IPv4. */
const PUBLIC_IPV6: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR("2000::/3");

/** Azure's own, for the host beneath each machine: learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16. */
const HOST_OF_AZURE = "168.63.129.16";

const PRIVATE_RANGES: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "linkLocal",
  "uniqueLocal",
  "carrierGradeNat",
  "unspecified",
]);

/**
 * Whether an IP address is surely of this machine or a network of its own. One that is neither this nor public may lead
 * anywhere: what embeds an address of IPv4, what is reserved.
 */
export function isPrivateAddress(address: string): boolean {
  try {
    const parsed = ipaddr.process(address);
    return PRIVATE_RANGES.has(parsed.range()) || parsed.toString() === HOST_OF_AZURE;
  } catch {
    return false;
  }
}

/** Whether an IP address is one of the public network: not private, loopback, link-local, mapped, a tunnel's or reserved. */
export function isPublicAddress(address: string): boolean {
  try {
    const parsed = ipaddr.parse(address);
    if (parsed.range() !== "unicast" || parsed.toString() === HOST_OF_AZURE) return false;
    return !(parsed instanceof ipaddr.IPv6) || parsed.match(PUBLIC_IPV6);
  } catch {
    return false;
  }
}
