// A usual answer has 1 KB, and up to 10 KB with detailed usage data.
const MAX_ANSWER_BYTES = 64 * 1024;

export class AnswerTooLarge extends Error {}

/**
 * Returns the `fetch` of the OpenAI package. It follows no redirect, because the next address would get the key and the
 * pictures. It reads at most 64 KB. It sends only its own headers, because the package adds headers from the environment
 * and about this machine.
 */
export function boundedFetch(key: string | undefined) {
  return async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(url, {
      method: init.method ?? 'POST',
      body: init.body ?? null,
      signal: init.signal ?? null,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      },
      redirect: 'manual',
    });
    const { status, headers } = response;
    const body = await readBounded(response);
    // Keep only these two headers; the content length was that of the compressed body.
    const kept = ['content-type', 'retry-after'].flatMap((name): [string, string][] => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return new Response(mayHaveBody(status) ? body : null, { status, headers: kept });
  };
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  // A throw inside the loop cancels the body and closes the connection.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function mayHaveBody(status: number): boolean {
  return ![204, 205, 304].includes(status);
}
