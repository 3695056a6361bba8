import type { Caller } from '../../callers.ts';
import { isObject } from './json-schema.ts';

/** The text of an answer around the id of its request. */
type Kept = { before: string; after: string; status: number; headers: [string, string][] };
type Answer = (parsedBody: object) => Promise<Response>;

// Clients send little more than their name and a version.
const MAX_PARAMS = 2_000;
const MOST_KEPT = 100;
/** Stands for the id of each request in the answers that are kept. */
const ID = '"concours: the id of the request"';
const HEADERS = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** The lists of tools that this process has answered, as text: 80 KB of JSON cost more than the rest of a request. */
export type ListCache = {
  /**
   * Answers one message that asks for the tools: from the memory, if the same request was answered before. Returns null for
   * every other message, and for one that is refused.
   */
  answer(caller: Caller, request: { headers: Headers }, body: unknown, answer: Answer): Promise<Response | null>;
};

export function createListCache(): ListCache {
  const kept = new Map<string, Kept>();
  async function find(key: string, ask: () => Promise<Response>): Promise<Kept | null> {
    const known = kept.get(key);
    if (known) return known;
    const response = await ask();
    const text = await response.text();
    const [before = '', after, ...more] = text.split(ID);
    if (after === undefined || more.length > 0 || response.status !== 200) return null;
    const found = { before, after, status: response.status, headers: [...response.headers] };
    const [oldest] = kept.size >= MOST_KEPT ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(key, found);
    return found;
  }

  return {
    async answer(caller, { headers }, body, answer) {
      if (!isObject(body) || body['method'] !== 'tools/list') return null;
      const { id, ...rest } = body;
      const key = JSON.stringify([...sightOf(caller), rest, ...HEADERS.map((name) => headers.get(name))]);
      if ((typeof id !== 'string' && typeof id !== 'number') || key.length > MAX_PARAMS) return null;
      const found = await find(key, () => answer({ ...rest, id: JSON.parse(ID) as string }));
      if (!found) return null;
      const { before, after, status } = found;
      return new Response(before + JSON.stringify(id) + after, { status, headers: found.headers });
    },
  };
}

/** What the list of tools depends on: the kind of the caller, its scope, and the standing of an agent. */
function sightOf(caller: Caller): (string | boolean)[] {
  if (caller.kind === 'agent') return [caller.kind, caller.scope, caller.status === 'suspended'];
  return caller.kind === 'poster' ? [caller.kind, caller.scope] : [caller.kind];
}
