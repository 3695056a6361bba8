// outbound/ offers an HTTP client for URLs that strangers choose. It reaches public addresses only. The rest is private.

/** The client. */
export { createPostClient, type PostClient } from './post-client.ts';

/** The rules for URLs, so that a domain can refuse a URL before the first request. */
export {
  allowedPorts,
  type AllowedPlaces,
  forbiddenAddresses,
  isPrivateName,
  isThisMachine,
  literalAddress,
} from './address-guard.ts';
