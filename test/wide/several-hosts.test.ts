import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { createPool } from '../../server/db/pool.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { call } from '../support/clients/client.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { MAIN, startScript, until, untilReady } from '../support/processes/processes.ts';
import { debianPostgres, postgresClusters, streamingReplica } from '../support/servers/postgres-cluster.ts';
import { removeFolder } from '../support/remove-folder.ts';

// DATABASE_URL names a primary and its streaming replica, in this order and in the other one. The primary dies, the replica is
// promoted, and the service goes on there without a restart.

const bin = await debianPostgres();
const skip = bin || process.env['CI'] ? false : 'needs the PostgreSQL of Debian';

for (const order of ['the primary first', 'the replica first'] as const)
  it(`a service with two hosts follows a failover, with ${order}`, { skip }, async () => {
    assert.ok(bin, 'CI must provide the PostgreSQL of Debian');
    const clusters = await postgresClusters(bin);
    after(() => clusters.remove());
    const settings = ['wal_level=replica', 'hot_standby=on', 'max_connections=100'];
    const primary = await clusters.start(await clusters.create('primary', settings), await freePort());
    const streaming = await streamingReplica(clusters, primary, 'replica');
    const replica = await streaming.start();
    const folder = await mkdtemp(join(tmpdir(), 'concours-hosts-'));
    after(() => removeFolder(folder));
    const ports = [primary.port, replica.port];
    const hosts = (order === 'the primary first' ? ports : ports.toReversed()).map((port) => `127.0.0.1:${port}`);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = startScript(MAIN, [], {
      env: {
        NODE_ENV: 'development',
        PORT: String(port),
        DATA_DIR: folder,
        DATABASE_URL: `postgres://concours@${hosts.join(',')}/postgres?target_session_attrs=read-write`,
      },
    });
    after(() => service.kill('SIGKILL'));
    await untilReady(service, url);
    const before = await registerAgent(url);

    const onReplica = createPool({ url: replica.url, connections: 1 });
    after(() => onReplica.end({ timeout: 1 }));
    await until('the replica has the agent', async () => {
      const rows = await onReplica`select from agents where id = ${before.id}`;
      return rows.length === 1;
    });
    await primary.stop();
    const refused = await call(url, 'GET', '/agents/me/keys', { key: before.key });
    assert.deepEqual([refused.status, refused.body.error.code], [503, 'DATABASE_ERROR']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await fetch(`${url}/readyz`)).status, 503);

    await streaming.promote();
    await until('the service is ready', async () => (await fetch(`${url}/readyz`)).ok);
    await until(
      'every connection',
      async () => (await call(url, 'GET', '/agents/me', { key: before.key })).status === 200,
    );
    const agent = await registerAgent(url);
    expectStatus(await call(url, 'GET', '/agents/me', { key: agent.key }), 200);
    assert.equal((await onReplica`select from agents where id = ${agent.id}`).length, 1, 'it is written there');
    assert.equal(await service.kill('SIGTERM'), 0, service.output());
  });
