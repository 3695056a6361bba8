import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent } from '../child.ts';

// Many readers of events in one process: open streams, or requests that wait. Answers when each of them got an event.

export type ListenerSettings = { url: string; keys: string[]; way: 'sse' | 'poll' };
export type ListenerQuestion = { kind: 'open' } | { kind: 'arrivals'; id: string };
/** Unix milliseconds at which each listener got the event. */
export type Arrived = { at: number[] };

const { url, keys, way } = JSON.parse(process.argv[2] ?? '') as ListenerSettings;
const arrivals = new Map<string, number[]>();
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

function arrived(id: string): void {
  const times = arrivals.get(id) ?? [];
  times.push(Date.now());
  arrivals.set(id, times);
}

const headersOf = (key: string) => ({ authorization: `Bearer ${key}` });

function openStream(key: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { ...headersOf(key), accept: 'text/event-stream' };
  const sent = request(`${url}/api/v1/agents/me/events?after=now`, { headers, agent });
  sent.once('error', reject);
  sent.once('response', (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`a stream answered ${answer.statusCode}`));
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => {
      for (const [, id = ''] of chunk.matchAll(/^id: (.+)$/gm)) arrived(id);
    });
    resolve();
  });
  sent.end();
  return promise;
}

type Page = { data: { events: { id: string }[]; cursor: string } };

function readPage(key: string, query: string): Promise<Page['data']> {
  const { promise, resolve, reject } = Promise.withResolvers<Page['data']>();
  const sent = request(`${url}/api/v1/agents/me/events?${query}`, { headers: headersOf(key), agent });
  sent.once('error', reject);
  sent.once('response', (answer) => {
    let text = '';
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => (text += chunk));
    answer.once('end', () => {
      if (answer.statusCode === 200) resolve((JSON.parse(text) as Page).data);
      else reject(new Error(`a request that waits answered ${answer.statusCode}`));
    });
  });
  sent.end();
  return promise;
}

async function openPolls(key: string): Promise<void> {
  const { cursor } = await readPage(key, 'after=now');
  // Ends with the process.
  poll(key, cursor).catch(() => {});
}

async function poll(key: string, first: string): Promise<void> {
  for (let cursor = first; ;) {
    const page = await readPage(key, `after=${cursor}&wait=30`).catch(() => null);
    if (page === null) {
      // A busy machine sheds reads. A client asks again.
      await sleep(100);
      continue;
    }
    for (const { id } of page.events) arrived(id);
    ({ cursor } = page);
  }
}

answerParent(async (question: ListenerQuestion): Promise<object> => {
  if (question.kind === 'arrivals') return { at: arrivals.get(question.id) ?? [] } satisfies Arrived;
  // In small groups, so that the service does not shed the requests that open them.
  for (let from = 0; from < keys.length; from += 20)
    await Promise.all(keys.slice(from, from + 20).map(way === 'sse' ? openStream : openPolls));
  return {};
});
