import { type ApiData, markedSession } from '../../api/public.ts';
import { createHooks, createSession } from '../../signed-in/public.ts';

// The service ends a session after 30 minutes without a person. The pages refresh themselves, which does not count.
const KEEP_MS = 60_000;
/** The state of a sign-in at the identity provider, kept until the browser comes back. The service needs it to finish. */
const FLOW = 'concours-operator-sign-in';

const OPERATOR = { id: 'operator', name: 'operator' };

export const operatorStore = createSession({
  kind: 'operator',
  identityOf: () => OPERATOR,
  async read(api) {
    await api.call('GET /operator/session', {});
    return OPERATOR;
  },
  /** Ends the session also at the identity provider, if it has a page for that. */
  async end(api) {
    const { provider_url: url } = await api.call('DELETE /operator/session', {});
    if (url !== null) location.assign(url);
  },
});
export const { useApiQuery, useApiPages, useRefresh } = createHooks(operatorStore);

const { call } = operatorStore.api;

export async function signInWithKey(key: string): Promise<void> {
  await call('POST /operator/session', { body: { api_key: key } });
  operatorStore.begin(OPERATOR);
}

/** Leaves for the page of the identity provider, which comes back here. @throws ApiError if it is not available */
export async function leaveForProvider(): Promise<void> {
  const { url, flow } = await call('POST /operator/session/provider', {});
  localStorage.setItem(FLOW, flow);
  location.assign(url);
}

/** Returns what the identity provider added to the address of this page, and removes it from there. Null: nothing. */
export function takeAnswer(): { flow: string; answer: string } | null {
  const { search, pathname } = location;
  const flow = localStorage.getItem(FLOW);
  if (flow === null || !new URLSearchParams(search).has('state')) return null;
  localStorage.removeItem(FLOW);
  history.replaceState(history.state, '', pathname);
  return { flow, answer: search };
}

/** Finishes a sign-in at the identity provider. @throws ApiError if the provider or the service refused it */
export async function finishSignIn(body: { flow: string; answer: string }): Promise<void> {
  await call('POST /operator/session', { body });
  operatorStore.begin(OPERATOR);
}

let keptAt = Number.NEGATIVE_INFINITY;
/** Keys and clicks keep the session, at most once a minute. Without an answer, the next one tries again. */
function keep({ timeStamp }: Event): void {
  if (timeStamp - keptAt < KEEP_MS || markedSession('operator') === null) return;
  keptAt = timeStamp;
  call('GET /operator/session', {}).catch(() => {});
}
for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, keep, { capture: true, passive: true });

export type Overview = ApiData<'GET /operator/overview'>;

/** Refetch interval of lists. */
export const LIST_MS = 10_000;
