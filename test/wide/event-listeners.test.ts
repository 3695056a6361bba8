import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { residentMb } from '../../bench/child.ts';
import { seedMarketplace } from '../../bench/seed.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Ten thousand idle streams on one process, two for each key.

const STREAMS = 10_000;
const FIRST_STREAMS = 400;
const MOST_MORE_MB = 250;

/** Opens streams from a process of its own, and says how many are open. */
const CLIENT = `
  const { request, Agent } = require('node:http');
  const agent = new Agent({ maxSockets: Infinity });
  process.once('message', ({ url, keys }) => {
    let open = 0;
    const openOne = (key) => new Promise((resolve, reject) => {
      const headers = { authorization: 'Bearer ' + key, accept: 'text/event-stream' };
      const sent = request(url + '/api/v1/agents/me/events?after=now', { headers, agent });
      sent.once('error', reject);
      sent.once('response', (answer) => {
        answer.resume();
        if (answer.statusCode !== 200) return reject(new Error('a stream answered ' + answer.statusCode));
        open += 1;
        resolve();
      });
      sent.end();
    });
    (async () => {
      for (let from = 0; from < keys.length; from += 20) await Promise.all(keys.slice(from, from + 20).map(openOne));
      process.send({ open });
    })().catch((error) => process.send({ error: error.message }));
  });`;

const ground = await prepareWorld();

async function openStreams(url: string, keys: string[]): Promise<ChildProcess> {
  const client = spawn(process.execPath, ['-e', CLIENT], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  client.send({ url, keys });
  const [answer] = (await once(client, 'message')) as [{ open?: number; error?: string }];
  assert.deepEqual(answer, { open: keys.length });
  return client;
}

it(`${STREAMS} idle streams need at most ${MOST_MORE_MB} MB more memory`, async (context) => {
  const seeded = { projects: 10, agents: (STREAMS + FIRST_STREAMS) / 2, network: 'eip155:84532' };
  const wallet = `0x${'1'.repeat(40)}`;
  const agents = await seedMarketplace(ground.db, { ...seeded, asset: wallet, payTo: wallet });
  const keys = agents.flatMap(({ key }) => [key, key]);
  const { url, running } = await ground.start();
  const pid = running.child.pid ?? 0;
  // The first streams let V8 and the connection pools grow once.
  const first = await openStreams(url, keys.slice(0, FIRST_STREAMS));
  const before = await residentMb(pid);
  const client = await openStreams(url, keys.slice(FIRST_STREAMS));
  const more = (await residentMb(pid)) - before;
  context.diagnostic(`${more.toFixed(0)} MB more than ${before.toFixed(0)} MB`);
  assert.ok(more <= MOST_MORE_MB, `${more.toFixed(0)} MB more`);
  first.kill();
  client.kill();
});
