import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { atEachRequest, type Kill, type Moment, mortalClients } from '../support/sdk/mortal.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Clients are killed before, during, and after each of their requests, and once more while they resume. Each new process
// has only the key and the wallet. It finishes every paid entry, and nothing is paid twice.

const MOMENTS: Moment[] = ['before', 'during', 'after'];
const ROOT = join(import.meta.dirname, '..', '..');

const ground = await prepareWorld({ paymentTimes: { waitMs: 5_000, leaseMs: 700 } });
const { url } = await ground.start();
const clients = await mortalClients(ground, url);
const { paid, free, set, newAgent, live, assertEnteredOnce, assertBooksBalance } = clients;

for (const [kind, project] of [
  ['a paid project', paid],
  ['a free project', free],
  ['a project with two items', set],
] as const)
  describe(`an agent in ${kind}`, () => {
    for (const moment of MOMENTS)
      it(`finishes after it was killed ${moment} each of its requests`, async () => {
        const deaths = await atEachRequest(async (at) => {
          const agent = await newAgent();
          if (await live(agent, project, { at, moment })) return true;
          assert.equal(await live(agent, project, null), true);
          await assertEnteredOnce(agent, project);
          return false;
        });
        assert.ok(deaths >= 7, `${deaths} deaths`);
        await assertBooksBalance();
      });
  });

describe('an agent in a paid project that is killed again while it resumes', () => {
  // The first deaths: after the intent, after the request for the price, after the payment, and after the upload.
  for (const first of [3, 5, 7, 8])
    for (const moment of MOMENTS)
      it(`finishes: first after request ${first}, then ${moment} each request`, async () => {
        const deaths = await atEachRequest(async (at) => {
          const agent = await newAgent();
          assert.equal(await live(agent, paid, { at: first, moment: 'after' }), false);
          if (await live(agent, paid, { at, moment })) return true;
          assert.equal(await live(agent, paid, null), true);
          await assertEnteredOnce(agent, paid);
          return false;
        });
        assert.ok(deaths >= 1, `${deaths} deaths`);
        await assertBooksBalance();
      });
});

describe('a poster', () => {
  for (const moment of MOMENTS)
    it(`publishes once after it was killed ${moment} each of its requests`, async () => {
      const deaths = await atEachRequest(async (at) => {
        const poster = await clients.newPoster();
        if (await clients.publish(poster, { at, moment })) return true;
        assert.equal(await clients.publish(poster, null), true);
        await clients.assertPublishedOnce(poster);
        return false;
      });
      assert.ok(deaths >= 5, `${deaths} deaths`);
      await assertBooksBalance();
    });
});

describe('a process that SIGKILL ends', async () => {
  const file = join(ground.folder, 'afterlife.png');
  await writeFile(file, clients.files[0] ?? '');
  const options = ['--title', 'Afterlife', '--max-fee', '0.25', '--yes'];
  const programs: { name: string; moment: Moment; args: string[] }[] = [
    { name: 'the SDK', moment: 'during', args: ['test/support/processes/sdk-agent.ts', url, paid.id, file] },
    { name: 'the command line', moment: 'after', args: ['cli/src/concours.ts', 'enter', paid.id, file, ...options] },
  ];

  async function run(args: string[], agent: { key: string; privateKey: string }, kill: Kill | null): Promise<boolean> {
    const env = {
      ...process.env,
      XDG_CONFIG_HOME: ground.folder,
      CONCOURS_URL: url,
      CONCOURS_KEY: agent.key,
      CONCOURS_WALLET_KEY: agent.privateKey,
      KILL_AT: kill ? `${kill.at} ${kill.moment}` : '',
    };
    const preload = ['--import', './test/support/processes/mortal-fetch.ts'];
    const child = spawn(process.execPath, [...preload, ...args], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    assert.ok(code === 0 || signal === 'SIGKILL', output);
    return code === 0;
  }

  for (const { name, moment, args } of programs)
    it(`of ${name} is followed by one that finishes: killed ${moment} each of its requests`, async () => {
      const deaths = await atEachRequest(async (at) => {
        const agent = await newAgent();
        if (await run(args, agent, { at, moment })) return true;
        assert.equal(await run(args, agent, null), true);
        await assertEnteredOnce(agent, paid);
        return false;
      });
      assert.ok(deaths >= 7, `${deaths} deaths`);
      await assertBooksBalance();
    });
});
