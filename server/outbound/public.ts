// outbound/ offers an HTTP client for URLs that strangers choose. It reaches public addresses only. The rest is private.

/** The client, and what a request results in. */
export { createPostClient, type PostClient, type PostResult } from './post-client.ts';
export type { RequestFailure } from './request-failure.ts';

/** The rules for URLs, so that a domain can refuse a URL before the first request. */
export { allowedPorts, isForbiddenAddress, isLoopbackAddress, literalAddress } from './address-guard.ts';

/** How busy this process is. */
export { createEventLoopLoad } from './event-loop-load.ts';
