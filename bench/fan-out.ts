import { randomUUIDv7 } from 'node:crypto';
import { Agent } from 'undici';
import { recordEvents } from '../server/events/public.ts';
import { interleaved, type Tools } from './measure.ts';
import type { Received } from './peers/receiver-peer.ts';
import { type Row, rowsBeside } from './report.ts';
import type { BenchWorld } from './world.ts';

const ENDPOINTS = 2_000;
const HOSTS = 100;
/** The service's own bounds: deliveries in flight, and connections to a host. */
const IN_FLIGHT = 512;
const CONNECTIONS = 8;

/**
 * Measures how fast the event of a project reaches 2,000 endpoints at 100 hosts that answer after 200 ms, from the first to the
 * last arrival, beside a loop that only posts the same bytes with undici.
 */
export async function measureFanOut({ world, rounds }: Tools): Promise<Row[]> {
  const receiver = world.startPeer('receiver-peer.ts', {});
  const { port } = await receiver.ask<{ port: number }>({});
  const urls = Array.from({ length: ENDPOINTS }, (_, n) => `http://127.0.0.${1 + (n % HOSTS)}:${port}/${n}`);
  await register(world, urls);
  const received = () => receiver.ask<Received>({ expect: ENDPOINTS });
  let bytes = 0;
  const values = await interleaved(rounds, {
    async service() {
      const [{ perSecond, bodyBytes }] = await Promise.all([received(), announce(world)]);
      bytes = bodyBytes;
      return perSecond;
    },
    undici: async () => (await Promise.all([received(), post(urls, Buffer.alloc(bytes, 'x'))]))[0].perSecond,
  });
  const undici = { name: 'a bare undici loop', aim: { atLeast: 0.8 } };
  return rowsBeside(`fan-out to ${ENDPOINTS} webhooks`, values, { undici }, (value) => `${Math.round(value)}/s`);
}

/** Registers endpoints that have accepted an event before. */
async function register({ service, agents, db }: BenchWorld, urls: string[]): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < urls.length; index = next++) {
      const response = await fetch(`${service.url}/api/v1/agents/webhooks/projects`, {
        method: 'POST',
        headers: { authorization: `Bearer ${agents[index]!.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ webhook_url: urls[index] }),
      });
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  await db`update webhook_endpoints set verified_at = now()`;
}

const agent = new Agent({ connections: CONNECTIONS });

/** The loop of the comparison. */
async function post(urls: string[], body: Buffer): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let url = urls[next++]; url; url = urls[next++]) {
      const answer = await agent.request({
        origin: new URL(url).origin,
        path: new URL(url).pathname,
        method: 'POST',
        body,
      });
      await answer.body.text();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

/** Writes the event of a project, as its opening does. */
async function announce({ db }: BenchWorld): Promise<void> {
  const at = new Date();
  const project = { id: randomUUIDv7(), title: 'A logo', description: 'For a bakery. '.repeat(30), created_at: at };
  const event = { market: { publishedAt: at, visibleAt: at }, type: 'PROJECT.OPEN', data: { project } };
  await db.begin((tx) => recordEvents({ newId: () => randomUUIDv7() }, tx, at, [event as never]));
}
