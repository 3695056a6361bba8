/**
 * The connection to the service: the HTTP client with its types and errors, the query cache, the payment network,
 * and whether the service answers.
 */
export {
  api,
  type Api,
  type ApiData,
  ApiError,
  type ApiInput,
  fetchFile,
  type Route,
  sameOriginPath,
  serverAheadMs,
} from './client.ts';
export { useNow } from './clock.ts';
export { explorerOf, type Network, networkName, useNetwork } from './network.ts';
export { apiPages, apiQuery, createQueryClient } from './query-client.ts';
export { useIsReachable } from './reachability.ts';
export { markedSession, markSession, type SessionKind, useHasSession } from './sessions.ts';
export { useCategories, useSpecializations } from './specializations.ts';
export { createStore } from './store.ts';
export { isTestNetwork, logo, providerHost, serviceName } from './service-name.ts';
