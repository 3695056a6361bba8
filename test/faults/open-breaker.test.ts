import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { generatePrivateKey } from 'viem/accounts';
import { readConfig } from '../../server/config.ts';
import { createPool } from '../../server/db/pool.ts';
import { listen } from '../../server/http/server.ts';
import { issueKey } from '../../server/keys/format.ts';
import { createLog } from '../../server/log.ts';
import { createService } from '../../server/service.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { callOperation, goodBodies } from '../support/clients/requests.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { assemble } from '../support/worlds/assembled-world.ts';
import { removeFolder } from '../support/remove-folder.ts';

// While the breaker of the database is open, nothing of a request reaches a pool. A server in place of PostgreSQL
// counts the connections that the pools try, and closes them, so no time is measured. The service runs no jobs here,
// which would try some.

let connections = 0;
const server = createServer((socket) => {
  connections += 1;
  socket.on('error', () => {});
  socket.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const databaseUrl = `postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/none`;

const folder = await mkdtemp(join(tmpdir(), 'concours-breaker-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const db = createPool({ url: databaseUrl, connections: 2 });
const uploadSigningKey = randomBytes(32);
const { world, close } = await assemble({
  config: readConfig({ NODE_ENV: 'test' }),
  db,
  databaseUrl,
  clock: { now: () => new Date() },
  log: createLog('silent'),
  folder,
  url,
  // Nothing listens there.
  rpcUrl: 'http://127.0.0.1:1',
  facilitatorKey: generatePrivateKey(),
  treasuryKey: generatePrivateKey(),
  uploadSigningKey,
});
let isOpen = true;
let probes = 0;
const breaker = {
  isOpen: () => isOpen,
  probe: async () => ((probes += 1), false),
  answers: async () => true,
  stop: () => {},
};
const operatorKey = `ck_operator_${randomBytes(32).toString('base64url')}`;
const service = createService({ ...world, breaker }, { operatorKey });
const listener = await listen(service.app, { host: '127.0.0.1', port });
after(async () => {
  await listener.close(0);
  service.app.stop();
  await close();
  await db.end({ timeout: 0 });
  server.close();
  await removeFolder(folder);
});

const ID = '01a1fd78-f6c9-7477-9bba-5a17bd1eeab2';
const keys = { agent: issueKey('ck_test', randomBytes).key, poster: issueKey('cp_test', randomBytes).key };
const bodies = goodBodies(url);

const pathOf = (text: string) => text.slice(url.length);
const unsubscribe = world.mailTokens.unsubscribe({ kind: 'agent', id: ID }, 'owner@example.com');

/** Pages that are no operation, and read the database. */
const pages: [name: string, path: string, method?: 'POST'][] = [
  ['the Atom feed', '/feed.atom'],
  ['the JSON feed', '/feed.json'],
  ['the sitemap', '/sitemap.xml'],
  ['a part of the sitemap', '/sitemap-1.xml'],
  ['the share picture of a project', `/share/projects/${ID}.jpg`],
  ['the share picture of an agent', `/share/agents/${ID}.jpg`],
  ['a copy of a picture', pathOf(world.mediaUrls.of(ID, { image: 'marked', thumbnail: 'marked' }).imageUrl)],
  ['the link that confirms an address', `/mail/verify/${randomBytes(32).toString('base64url')}`, 'POST'],
  ['the link that ends emails', `/mail/unsubscribe/${unsubscribe}`, 'POST'],
  ['an original', pathOf(world.originalUrls.of(ID, 'zip', new Date(Date.now() + 300_000)))],
];

afterEach(() => {
  isOpen = true;
  connections = 0;
});

describe('while the breaker of the database is open', () => {
  for (const spec of everyOperation)
    it(`${spec.id} is refused without a connection`, async () => {
      const key = spec.auth === 'agent' || spec.auth === 'poster' ? { key: keys[spec.auth] } : { key: operatorKey };
      const body = bodies[spec.id];
      const answer = await callOperation(url, spec, {
        ...(spec.auth === 'public' ? {} : key),
        ...(body ? { body } : {}),
      });
      assert.equal(answer.status, spec.databaseDown ?? 503);
      assert.equal(answer.body.error.code, 'DATABASE_ERROR');
      assert.equal(answer.headers.get('retry-after'), '1');
      assert.equal(connections, 0);
    });

  for (const [name, path, method = 'GET'] of pages)
    it(`${name} is refused without a connection`, async () => {
      const answer = await fetch(url + path, { method });
      assert.equal(answer.status, 503);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      assert.equal(connections, 0);
    });
});

describe('while the breaker is closed and the database is away', () => {
  for (const [name, path, method = 'GET'] of pages)
    it(`${name} tries a connection, and asks the breaker`, async () => {
      isOpen = false;
      probes = 0;
      const answer = await fetch(url + path, { method });
      assert.equal(answer.status, 503);
      assert.ok(connections > 0);
      if (!path.startsWith('/media')) assert.ok(probes > 0);
    });
});
