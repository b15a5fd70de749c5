import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { type AddressPolicy, checkAddress } from "./address-policy.js";
import { systemLookup } from "./system-lookup.js";

/**
 * Looks names up as the system does, and gives addresses only if `policy` allows all that the name has. The connection goes to an
 * address that was given, so a name that leads elsewhere on a second look-up gains nothing.
 */
export function checkedLookup(policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, options, (error, addresses) => {
      const refusal = error ?? refusalOf(addresses, policy);
      const [first] = refusal === null ? addresses : [];
      if (first === undefined) callback(refusal ?? new Error("the name has no address"), []);
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
