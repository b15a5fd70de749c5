import ipaddr from "ipaddr.js";

/** Whether an IP address is one of the public network: not private, loopback, link-local, mapped, a tunnel's or reserved. */
export function isPublicAddress(address: string): boolean {
  try {
    return ipaddr.parse(address).range() === "unicast";
  } catch {
    return false;
  }
}
