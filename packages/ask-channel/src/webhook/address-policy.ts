import { isIP } from "node:net";
import { invalidOption } from "./check-options.js";
import { isPrivateAddress, isPublicAddress } from "./public-address.js";

/** Where asks may be sent to. */
export interface AddressPolicy {
  /** over TLS, or else because the host allowed it */
  readonly mayReachPublic: boolean;
  readonly mayReachPrivate: boolean;
}

/** An address that asks may not be sent to. */
export class AddressRefused extends Error {
  constructor(kind: "public" | "private") {
    super(
      kind === "private"
        ? "the endpoint's address is not public: set allowPrivateNetwork if that is meant"
        : "the endpoint's address is not private, and its URL is not https: set allowHttp if that is meant",
    );
  }
}

/** Throws {@link AddressRefused} unless `policy` allows the address, an IP address as text. */
export function checkAddress(address: string, policy: AddressPolicy): void {
  if (!isPublicAddress(address) && !policy.mayReachPrivate) throw new AddressRefused("private");
  if (!isPrivateAddress(address) && !policy.mayReachPublic) throw new AddressRefused("public");
}

/**
 * The URL that asks are posted to, and where it may lead. Throws code `invalid_option` for what is no URL of http or https, for one
 * with a user or password, and for an IP address, in any spelling, that the policy refuses. Names are judged when they are looked up.
 */
export function endpointOf(
  url: string | URL,
  { allowHttp, allowPrivateNetwork }: { allowHttp: boolean; allowPrivateNetwork: boolean },
): { url: URL; policy: AddressPolicy } {
  const parsed = webUrl("url", url);
  const isEncrypted = parsed.protocol === "https:";
  if (!isEncrypted && !allowHttp && !allowPrivateNetwork) {
    throw invalidOption("url must be https, unless allowHttp or allowPrivateNetwork is set");
  }
  const policy = { mayReachPublic: isEncrypted || allowHttp, mayReachPrivate: allowPrivateNetwork };
  const host = hostOf(parsed);
  if (isIP(host) !== 0) {
    try {
      checkAddress(host, policy);
    } catch (cause) {
      throw invalidOption(`url: ${(cause as Error).message}`);
    }
  }
  return { url: parsed, policy };
}

/**
 * The URL that answers are posted to. Throws code `invalid_option` for what is no URL of http or https, for one with a user or password,
 * and for one without TLS unless `allowHttp` is set, or `allowPrivateNetwork` and its host can be seen to be private: only the
 * endpoint looks names up.
 */
export function callbackUrlOf(
  url: string | URL,
  { allowHttp, allowPrivateNetwork }: { allowHttp: boolean; allowPrivateNetwork: boolean },
): URL {
  const parsed = webUrl("callbackUrl", url);
  const host = hostOf(parsed);
  const isPrivate = host === "localhost" || isPrivateAddress(host);
  if (parsed.protocol === "https:" || allowHttp || (allowPrivateNetwork && isPrivate)) return parsed;
  throw invalidOption(
    "callbackUrl must be https, unless allowHttp is set, or allowPrivateNetwork for localhost or a private address",
  );
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Throws code `invalid_option` for what is no URL of http or https, or has a user or password. The message does not repeat it. */
function webUrl(option: string, given: string | URL): URL {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw invalidOption(`${option} is no absolute URL`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw invalidOption(`${option} must be https`);
  if (url.username !== "" || url.password !== "") {
    throw invalidOption(`${option} must have no user and no password`);
  }
  return url;
}
