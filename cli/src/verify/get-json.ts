const TIMEOUT_MS = 15_000;

/** Returns the JSON of an answer. With a body, it sends POST. */
export async function getJson(url: string, body?: unknown): Promise<unknown> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const response = await fetch(url, {
      ...(body === undefined ? {} : post),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return await response.json();
    throw new Error(`status ${response.status}`);
  } catch (error) {
    const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
    throw new CannotCheck(`${url} did not answer with JSON: ${reason}`);
  }
}

/** A check is not possible: nothing is known about the manifest. The message says why and what to do. */
export class CannotCheck extends Error {}
