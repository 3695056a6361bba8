import { watchAnswer, watchedFetch } from '../secrets/canary-watch.ts';

/** A `fetch` for the SDK. It remembers the secrets in its requests and answers, as `call` does. */
export const sdkFetch: typeof fetch = async (input, init) => {
  const response = await watchedFetch(input, init);
  if (response.headers.get('content-type')?.startsWith('application/json'))
    watchAnswer(new URL(String(input)).pathname, response, await response.clone().text());
  return response;
};
