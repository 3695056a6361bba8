import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { blameAddress, CannotRun } from '../../server/cannot-run.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { call } from '../support/clients/client.ts';
import { expectStatus, ledger, openProject, registerAgent } from '../support/clients/journey.ts';
import {
  descendants,
  isAlive,
  MAIN,
  type RunningProcess,
  startScript,
  until,
  untilReady,
} from '../support/processes/processes.ts';
import { removeFolder } from '../support/remove-folder.ts';

// The service with all embedded dependencies, in a folder of this test. The first start is `node server/main.ts`, as a
// user starts it. The other starts take the joined program, which loads faster.

let folder: string;
let port: number;
let url: string;
const started: RunningProcess[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'concours-start-'));
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
});

after(async () => {
  for (const running of started) await running.kill('SIGTERM');
  await removeFolder(folder);
});

function launch(env: Record<string, string> = {}): RunningProcess {
  const running = startScript(started.length === 0 ? 'server/main.ts' : MAIN, [], {
    env: { DATA_DIR: join(folder, 'data'), PORT: String(port), ...env },
  });
  started.push(running);
  return running;
}

async function start(): Promise<{ running: RunningProcess; operatorKey: string }> {
  const running = launch();
  await untilReady(running, url);
  const operatorKey = await until(
    'the operator key on the screen',
    async () => /operator +(\S+)/.exec(running.output())?.[1],
  );
  return { running, operatorKey };
}

/** Returns the ids of the separate processes of the embedded dependencies. */
async function partsOf({ child }: RunningProcess): Promise<number[]> {
  const parts = await descendants(child.pid ?? 0);
  for (const name of ['postgres', 'anvil'])
    assert.ok(
      parts.some(({ command }) => command.includes(name)),
      `${name} runs`,
    );
  return parts.map(({ pid }) => pid);
}

const allGone = async (pids: number[]) => !pids.some((pid) => isAlive(pid));

const skip = process.platform === 'linux' ? false : 'finds child processes in /proc';

describe('a development start', { skip }, () => {
  let running: RunningProcess;
  let operatorKey: string;

  it('prints its parts, its data folder, its URL, its reference, and the operator key', async () => {
    ({ running, operatorKey } = await start());
    const lines = running.output().trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^concours \d+\.\d+\.\d+(-dev)?: a development start/);
    const shown = Object.fromEntries(lines.slice(1).map((line) => [line.slice(0, 14).trim(), line.slice(14).trim()]));
    assert.match(shown['started'] ?? '', /PostgreSQL.*chain.*facilitator.*disk storage/);
    assert.equal(shown['data'], join(folder, 'data'));
    assert.equal(shown['console'], url);
    assert.match(await (await fetch(url)).text(), /<title>AI agents compete on your brief · Concours<\/title>/);
    assert.equal(shown['API'], `${url}/api/v1`);
    assert.equal(shown['reference'], `${url}/docs`);
    assert.equal((await fetch(shown['reference'] ?? '')).status, 200);
    assert.equal((await ledger({ url, operatorKey })).balanced, true);
  });

  it('locks its data folder: a second start reports the lock and ends', async () => {
    const second = launch({ PORT: String(await freePort()) });
    assert.equal(await second.ended, 1);
    assert.ok(second.output().includes(join(folder, 'data')), second.output());
    assert.ok(second.output().includes(String(running.child.pid)), second.output());
    assert.equal(second.output().trim().split('\n').length, 1, 'one line, no stack');
  });

  it('loses no data by SIGKILL and leaves no part running', async () => {
    const project = await openProject({ url });
    const { key } = await registerAgent(url);
    const parts = await partsOf(running);
    assert.equal(await running.kill('SIGKILL'), 'SIGKILL');
    await until('its parts end', () => allGone(parts));

    const again = await start();
    running = again.running;
    assert.equal(again.operatorKey, operatorKey);
    expectStatus(await call(url, 'GET', `/agents/projects/${project.id}`, { key }), 200);
    const books = await ledger({ url, operatorKey });
    assert.deepEqual([books.problems, books.balanced, books.chain_matches], [[], true, true]);
  });

  it('ends in order on SIGTERM: code 0, and no part left', async () => {
    const parts = await partsOf(running);
    assert.equal(await running.kill('SIGTERM'), 0, running.output());
    assert.deepEqual(parts.filter(isAlive), [], 'no part outlives it');
  });

  it('names a port that is in use', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1');
    t.after(() => taken.close());
    await once(taken, 'listening');
    const { port: takenPort } = taken.address() as AddressInfo;
    const second = createServer().listen(takenPort, '127.0.0.1');
    const isNamed = (error: Error) => error instanceof CannotRun && error.message.startsWith('PORT: listen EADDRINUSE');
    await assert.rejects(blameAddress('PORT', once(second, 'listening')), isNamed);
  });

  it('names every invalid setting and starts nothing', async () => {
    const refused = launch({
      PORT: 'abc',
      NETWORK: 'mainnet',
      PLATFORM_FEE_RATE: '2',
      HOST: '0.0.0.0',
      DATA_DIR: join(folder, 'none'),
    });
    assert.equal(await refused.ended, 1);
    for (const name of ['PORT', 'NETWORK', 'PLATFORM_FEE_RATE', 'HOST'])
      assert.match(refused.output(), new RegExp(`- ${name}: `));
    await assert.rejects(rm(join(folder, 'none')), { code: 'ENOENT' }, 'no folder was made');
  });
});
