import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createPool } from '../../server/db/pool.ts';
import { createReplicas } from '../../server/db/replicas.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import type { Replicas } from '../../server/ports/database.ts';
import { readNewest } from '../../server/projects/publication/publication-clock.ts';
import { call } from '../support/clients/client.ts';
import { expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { debianPostgres, postgresClusters, streamingReplica } from '../support/servers/postgres-cluster.ts';
import { startRelay } from '../support/servers/relay.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A streaming replica lags, cancels reads, freezes, dies, and is promoted under a service that reads from it. No read fails,
// and every read shows what was written before it.

const bin = await debianPostgres();

async function prepare(binaries: string) {
  const clusters = await postgresClusters(binaries);
  const settings = ['wal_level=replica', 'hot_standby=on', 'max_connections=100', 'max_standby_streaming_delay=0'];
  const primary = await clusters.start(await clusters.create('primary', settings), await freePort());
  const streaming = await streamingReplica(clusters, primary, 'replica');
  const replica = await streaming.start();
  const relay = await startRelay(streaming.port);
  const made: { replicas?: Replicas } = {};
  const world = await startWorld({
    databaseUrl: primary.url,
    env: {
      LIMIT_AGENT_READS_PER_MINUTE: '1000000',
      LIMIT_PUBLIC_READS_PER_MINUTE: '1000000',
      LIMIT_REGISTRATIONS_PER_HOUR: '100000',
      LIMIT_POSTER_PER_MINUTE: '100000',
      SEARCHES_PER_CALLER: '100',
    },
    wrap: ({ reads }) => {
      const url = new URL(primary.url);
      url.port = String(relay.port);
      made.replicas = createReplicas({
        urls: [url],
        primary: reads,
        viewConnections: 4,
        searchConnections: 4,
        searchTimeoutMs: 10_000,
        heartbeat: readNewest,
      });
      return { replicas: made.replicas };
    },
  });
  const onPrimary = createPool({ url: primary.url, connections: 2 });
  const onReplica = createPool({ url: replica.url, connections: 1 });
  after(async () => {
    await Promise.all([made.replicas?.stop(), onPrimary.end({ timeout: 1 }), onReplica.end({ timeout: 1 })]);
    await clusters.remove();
  });
  assert.ok(made.replicas);
  const { start: startReplica, promote } = streaming;
  return { ...world, replicas: made.replicas, replica, startReplica, relay, onPrimary, onReplica, promote };
}

const ground = bin === null ? null : await prepare(bin);
const skip = ground || process.env['CI'] ? false : 'needs the PostgreSQL of Debian';

const state = () => ground?.replicas.status()[0]?.state;
const becomes = (wanted: string) => until(`the replica is ${wanted}`, async () => state() === wanted);

type Got = { status: number; ms: number };

describe('reads of a replica', { skip }, () => {
  assert.ok(ground);
  const { url, replicas, relay, onPrimary, onReplica } = ground;
  let project: Awaited<ReturnType<typeof openProject>>;
  let agent: Awaited<ReturnType<typeof registerAgent>>;

  /** One read of each kind that a replica may answer. */
  const readAll = () =>
    Promise.all([
      call(url, 'GET', `/projects/${project.id}`),
      call(url, 'GET', `/agents/projects/${project.id}`, { key: agent.key }),
      call(url, 'GET', '/agents/projects?limit=5', { key: agent.key }),
      call(url, 'GET', '/agents/projects/recommended', { key: agent.key }),
      call(url, 'GET', '/projects'),
      call(url, 'GET', '/leaderboard'),
      call(url, 'GET', `/agents/${agent.id}/public`),
      call(url, 'GET', `/posters/me/projects/${project.id}/submissions`, { key: project.poster.key }),
    ]);

  /** Reads without a pause, on four connections, while `work` runs. */
  async function underLoad(work: () => Promise<unknown>): Promise<Got[]> {
    const got: Got[] = [];
    const load = { isOver: false };
    const reader = async () => {
      while (!load.isOver) {
        const startedAt = performance.now();
        for (const { status } of await readAll()) got.push({ status, ms: performance.now() - startedAt });
      }
    };
    const readers = [1, 2, 3, 4].map(reader);
    await work().finally(() => (load.isOver = true));
    await Promise.all(readers);
    return got;
  }

  function assertAllServed(got: Got[]): void {
    assert.ok(got.length > 0);
    assert.deepEqual(
      got.filter(({ status }) => status !== 200),
      [],
    );
    assert.deepEqual(
      got.filter(({ ms }) => ms > 6_000),
      [],
    );
  }

  /** Waits until the replica answers every read. */
  async function servesAgain(): Promise<void> {
    await until('the replica answers', async () => {
      const before = replicas.reads().replica;
      await readAll();
      return replicas.reads().replica >= before + 6;
    });
  }

  it('are answered by the replica once it is trusted', async () => {
    await becomes('good');
    project = await openProject(ground, {});
    agent = await registerAgent(url);
    await servesAgain();
    for (const answer of await readAll()) expectStatus(answer, 200);
    // The watch on the replica, the pool of short reads, and the pool of views.
    await until('three connections to the replica', async () => {
      await readAll();
      const [row] = await onReplica<{ connections: number }[]>`
        select count(*)::integer as connections from pg_stat_activity where application_name = 'concours'`;
      return (row?.connections ?? 0) >= 3;
    });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.match(metrics, /concours_replica_up\{replica="127\.0\.0\.1:\d+"\} 1/);
    assert.match(metrics, /concours_reads_total\{source="replica"\} [1-9]/);
    const { parts } = (await (await fetch(`${url}/healthz?deep`)).json()) as { parts: Record<string, boolean> };
    assert.equal(parts['replicas'], true);
  });

  it('show what was written before: new agents, a published project with its horizon, and a closed one', async () => {
    const before = replicas.reads();
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { id } = await registerAgent(url);
        expectStatus(await call(url, 'GET', `/agents/${id}/public`), 200);
      }),
    );
    for (let round = 0; round < 5; round += 1) {
      const earlier = await call(url, 'GET', '/agents/projects?limit=1', { key: agent.key });
      const { horizon } = expectStatus(earlier, 200).body.data.pagination;
      const made = await openProject(ground, {});
      const [detail, market, search] = await Promise.all([
        call(url, 'GET', `/projects/${made.id}`),
        call(url, 'GET', '/projects?limit=5'),
        call(url, 'GET', `/agents/projects?limit=5&created_after=${horizon}`, { key: agent.key }),
      ]);
      expectStatus(detail, 200);
      for (const found of [market, search])
        assert.ok(found.body.data.projects.some(({ id }: { id: string }) => id === made.id));
      const own = `/posters/me/projects/${made.id}`;
      expectStatus(await call(url, 'POST', `${own}/cancel`, { key: made.poster.key, body: { reason: 'a test' } }), 200);
      assert.equal((await call(url, 'GET', `/projects/${made.id}`)).body.data.project.status, 'cancelled');
    }
    assert.ok(replicas.reads().replica > before.replica);
  });

  it('go to the primary while the replay is paused, and come back', async () => {
    await servesAgain();
    await onReplica`select pg_wal_replay_pause()`;
    const { behind } = replicas.fallbacks();
    const got = await underLoad(async () => {
      for (let count = 0; count < 10; count += 1) {
        const { id } = await registerAgent(url);
        expectStatus(await call(url, 'GET', `/agents/${id}/public`), 200);
      }
      await becomes('lagging');
    });
    assertAllServed(got);
    assert.ok(replicas.fallbacks().behind > behind);
    assert.ok((replicas.status()[0]?.lagMs ?? 0) > 1_000);
    assert.equal((await fetch(`${url}/healthz?deep`)).status, 503);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    // The replay that it resumes may cancel the statement itself.
    await onReplica`select pg_wal_replay_resume()`.catch((error: { code?: string }) =>
      assert.equal(error.code, '40001'),
    );
    await becomes('good');
    await servesAgain();
  });

  it('are repeated on the primary when the replica cancels them', async () => {
    await servesAgain();
    const { failed } = replicas.fallbacks();
    const got = await underLoad(async () => {
      await until('reads were cancelled', async () => {
        // The replay of this lock ends every statement on the replica that reads the table.
        await onPrimary.begin((tx) => tx`lock table projects in access exclusive mode`);
        await onReplica`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'concours' and pid <> pg_backend_pid() and state = 'active'`.catch(
          (error: { code?: string }) => assert.equal(error.code, '40001'),
        );
        return replicas.fallbacks().failed >= failed + 5;
      });
    });
    assertAllServed(got);
  });

  it('do not fail when the replica freezes', async () => {
    await servesAgain();
    const got = await underLoad(async () => {
      relay.hold();
      try {
        await becomes('away');
      } finally {
        await relay.mend();
      }
    });
    assertAllServed(got);
    await becomes('good');
    await servesAgain();
  });

  it('do not fail when the replica is killed, and it serves again after its restart', async () => {
    const got = await underLoad(async () => {
      await ground.replica.stop();
      await becomes('away');
    });
    assertAllServed(got);
    await ground.startReplica();
    await becomes('good');
    await servesAgain();
  });

  it('go to the primary for good when the replica is promoted', async () => {
    const got = await underLoad(async () => {
      await ground.promote();
      await becomes('promoted');
    });
    assertAllServed(got);
    const { id } = await registerAgent(url);
    expectStatus(await call(url, 'GET', `/agents/${id}/public`), 200);
  });
});
