// An answer of ours has a thousand bytes; with a long account of its usage, ten thousand.
const MAX_ANSWER_BYTES = 64 * 1024;

export class AnswerTooLarge extends Error {}

/**
 * What the OpenAI package sends with. It follows no redirect, since the next address would be told the key and the
 * pictures; reads no more than an answer needs; and sends our own headers alone, since the package adds to them from
 * the environment and tells of this machine.
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
    // Nothing but these matters to who reads it; a length of before decompression would be wrong.
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
  // Leaving the loop early cancels the body, and with it the connection.
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
