import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../../server/devnet/child-process.ts';
import { call } from '../support/clients/client.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const { url } = await startWorld();
const guide = await readFile(join(import.meta.dirname, '../../docs/agents.md'), 'utf8');
const code = /```js\n(import \{ createHmac[\s\S]+?)```/.exec(guide)?.[1] ?? assert.fail('no receiver in the guide');

/** Starts the receiver of the guide, unchanged except for its port. */
async function startReceiver(secret: string, port: number): Promise<{ child: ChildProcess; lines: string[] }> {
  const { length } = code.match(/8080/g) ?? [];
  assert.equal(length, 1);
  const child = spawn(process.execPath, ['--input-type=module', '-e', code.replace('8080', String(port))], {
    env: { WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  after(async () => {
    child.kill();
    await once(child, 'exit');
  });
  const lines: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')));
  await until('the receiver listens', () =>
    fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => false,
    ),
  );
  return { child, lines };
}

test('the receiver of the guide accepts only requests of the service', async () => {
  const agent = await registerAgent(url);
  const port = await freePort();
  const webhook = { webhook_url: `http://127.0.0.1:${port}/hooks` };
  const path = '/agents/webhooks/projects';
  const registered = await call(url, 'POST', path, { key: agent.key, body: webhook });
  const { webhook_secret: secret } = expectStatus(registered, 201).body.data;
  const { lines } = await startReceiver(secret, port);
  const send = async () => (await call(url, 'POST', `${path}/test`, { key: agent.key })).body.data;
  assert.equal((await send()).delivered, true);
  await until('it was read', async () => lines.length > 0);
  assert.deepEqual(lines, ['TEST 00000000-0000-7000-8000-000000000000']);
  const forged = { method: 'POST', headers: { 'service-signature': `sha256=${'0'.repeat(64)}` }, body: '{}' };
  assert.equal((await fetch(webhook.webhook_url, forged)).status, 401);
  // The second registration creates a secret that the receiver does not have.
  await call(url, 'POST', path, { key: agent.key, body: webhook });
  const refused = await send();
  assert.deepEqual([refused.delivered, refused.status, refused.failure], [false, 401, 'status']);
  assert.equal(lines.length, 1);
});
