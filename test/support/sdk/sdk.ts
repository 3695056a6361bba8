import type { Fetch } from '../../../sdk/src/index.ts';
import { watchAnswer, watchedFetch } from '../secrets/canary-watch.ts';

/** A `fetch` for the SDK. It remembers the secrets in its requests and answers, as `call` does. */
export const sdkFetch: Fetch = async (url, init) => {
  const response = await watchedFetch(url, init);
  if (response.headers.get('content-type')?.startsWith('application/json'))
    watchAnswer(new URL(url).pathname, response, await response.clone().text());
  return response;
};
