import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { type AddressPolicy, checkAddress } from "./address-policy.js";

/**
 * Looks names up as the system does, and gives addresses only if `policy` allows all that the name has. The connection goes to an
 * address that was given, so a name that leads elsewhere on a second look-up gains nothing.
 */
export function checkedLookup(policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const refusal = error ?? refusalOf(addresses, policy);
      const [first] = addresses ?? [];
      if (refusal !== null || first === undefined)
        callback(refusal ?? new Error("the name has no address"), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function refusalOf(addresses: readonly LookupAddress[], policy: AddressPolicy): Error | null {
  try {
    for (const { address } of addresses) checkAddress(address, policy);
    return null;
  } catch (error) {
    return error as Error;
  }
}
