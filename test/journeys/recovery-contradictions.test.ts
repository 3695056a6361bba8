import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import pino from 'pino';
import { generatePrivateKey } from 'viem/accounts';
import { withTransaction } from '../../server/db/transaction.ts';
import type { Deps } from '../../server/deps.ts';
import { entriesOf } from '../../server/entries/public.ts';
import { award, cancelWithRefunds, settleSilence } from '../../server/judging/ends/public.ts';
import { sendPayouts } from '../../server/payouts/public.ts';
import { lockAnyProject } from '../../server/projects/public.ts';
import { adoptTransfer } from '../../server/reconciliation/recovery/adopt-transfer.ts';
import { recover } from '../../server/reconciliation/recovery/public.ts';
import { checkLedger } from '../../server/reconciliation/public.ts';
import { createDomains } from '../../server/service.ts';
import { readConfig } from '../../server/config.ts';
import { close, enter, type Contestant } from '../support/clients/contestants.ts';
import { expectStatus, openProject, type OpenProject } from '../support/clients/journey.ts';
import { copyDatabase } from '../support/copy-database.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { testDatabase } from '../support/test-database.ts';
import { draw } from '../support/test-pictures.ts';
import { assemble } from '../support/worlds/assembled-world.ts';

// A dump is taken while projects are judged. Then each project ends, and its payouts go out. In the restored database, each
// project has ended otherwise, in all combinations: a decision that was under way when the comparison ran. A recovery pays
// nobody twice, and payouts of other projects flow afterwards.

const ENDS = ['winner', 'other winner', 'silence', 'cancellation'] as const;
type End = (typeof ENDS)[number];

const env = { SILENCE_SHARE_CAP: '1', LIMIT_POSTER_PER_MINUTE: '100000', LIMIT_AGENT_PER_MINUTE: '100000' };
const treasuryKey = generatePrivateKey();
const ground = await prepareWorld({ treasuryKey, env });
const restored = await testDatabase();
const first = await ground.start();
const market = { url: first.url, mintUsdc: ground.mintUsdc };

type Case = { onChain: End; restored: End; project: OpenProject; entries: Contestant[] };

let pictures = 0;
async function judged(): Promise<Pick<Case, 'project' | 'entries'>> {
  const project = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
  const entries: Contestant[] = [];
  for (const seed of [(pictures += 1), (pictures += 1)])
    entries.push(await enter(market, project, { picture: Buffer.from(await draw(seed).png().toBuffer()) }));
  expectStatus(await close(market, project), 200);
  return { project, entries };
}

const cases: Case[] = [];
for (const onChain of ENDS) for (const other of ENDS) cases.push({ onChain, restored: other, ...(await judged()) });
const next = await judged();
await copyDatabase(ground.db, restored.db);

/** The domains on one of the databases, without HTTP and jobs. */
async function depsOn({ db, url }: { db: Deps['db']; url: string }): Promise<Deps> {
  const { world, close: stop } = await assemble({
    config: readConfig({ NODE_ENV: 'test', ...env }),
    db,
    databaseUrl: url,
    clock: { now: () => new Date() },
    log: pino({ level: 'silent' }),
    folder: ground.folder,
    url: first.url,
    rpcUrl: ground.rpcUrl,
    facilitatorKey: ground.facilitatorKey,
    treasuryKey,
    uploadSigningKey: ground.signingKey,
  });
  after(stop);
  return createDomains(world).deps;
}

async function end(deps: Deps, { project: { id }, entries: [a, b] }: Pick<Case, 'project' | 'entries'>, how: End) {
  await withTransaction(deps.db, async (tx) => {
    const [project, entries] = [await lockAnyProject(tx, id), await entriesOf(tx, id)];
    const made = { project, actor: 'operator', at: deps.clock.now() };
    if (how === 'silence') return await settleSilence(deps, tx, { ...made, entries });
    if (how === 'cancellation') return await cancelWithRefunds(deps, tx, { ...made, reason: 'A test' });
    const winnerId = (how === 'winner' ? a : b)!.submissionId;
    await award(deps, tx, { ...made, decision: { selection: 'operator', winnerId } });
  });
}

const unsettled = async (db: Deps['db'], states: string[]) =>
  (await db<{ id: string }[]>`select id from payouts where state = any(${states})`).length;

const lost = await depsOn({ db: ground.db, url: ground.databaseUrl });
for (const each of cases) await end(lost, each, each.onChain);
await until('all payouts', async () => (await unsettled(ground.db, ['ready', 'sending', 'held', 'waiting'])) === 0);
await first.running.kill('SIGKILL');
const deps = await depsOn(restored);
for (const each of cases) await end(deps, each, each.restored);

const wallets = cases
  .flatMap(({ project, entries }) => [project.funder, ...entries.map(({ payer }) => payer)])
  .map(({ address }) => address);
const balances = async () => await Promise.all(wallets.map((address) => deps.chain.balanceMicro(address)));
const [paid, heldMicro] = [await balances(), await deps.chain.balanceMicro(ground.treasury)];

const operator = {
  ...deps,
  requestId: 'test',
  remoteAddress: '192.0.2.1',
  caller: { kind: 'operator', operatorId: null, name: null, scopes: ['money'] },
} as const;

const nameOf = (each: Case) => `${each.onChain} on chain, ${each.restored} in the database`;
const isAward = (how: End) => how === 'winner' || how === 'other winner';
const agree = (each: Case) => each.onChain === each.restored || (isAward(each.onChain) && isAward(each.restored));
const heldOf = async (projectId: string) =>
  (await restored.db`select 1 from payouts where project_id = ${projectId} and state <> 'settled'`).length;

describe('a project that the restored database ended otherwise', () => {
  it('is recovered once its transfers are adopted, and its other payouts stay held', async () => {
    const report = await recover(deps, { dryRun: false });
    const left = report.findings.filter(({ outcome }) => outcome === 'unknown');
    assert.equal(report.recoveredUntil, null);
    assert.ok(left.length > 0);
    for (const { note } of left) assert.match(note ?? '', /The service holds the unsettled payouts of project:/);
    for (const { transfer } of left)
      await adoptTransfer(operator, {
        body: { tx_hash: transfer.txHash, log_index: transfer.logIndex, reason: 'The first end was final' },
      });
    const last = await recover(deps, { dryRun: false });
    assert.deepEqual([last.problems, last.findings.filter(({ outcome }) => outcome === 'unknown')], [[], []]);
    assert.ok(last.recoveredUntil);
  });

  it('is paid no second time, while other payouts flow', async () => {
    await end(deps, next, 'winner');
    const send = () => sendPayouts(deps, new AbortController().signal);
    // This process has not compared its database with the chain.
    await send();
    assert.deepEqual(await balances(), paid);
    assert.equal(await deps.comparison.make(), true);
    for (let run = 0; run < 3; run += 1) await send();
    assert.deepEqual(await balances(), paid);
    assert.equal(await deps.chain.balanceMicro(ground.treasury), heldMicro - 950_000);
    assert.equal(await deps.chain.balanceMicro(next.entries[0]!.payer.address), 1_000_000 - 250_000 + 950_000);
    assert.equal(await unsettled(restored.db, ['ready', 'sending', 'waiting']), 0);
    assert.deepEqual((await checkLedger(deps)).problems, []);
  });

  it('ends as the chain shows if the decisions agree, or if another entry won', async () => {
    for (const each of cases.filter(agree)) {
      const { onChain, project, entries } = each;
      const [row] = await restored.db`
        select status, winner_submission_id as winner from projects where id = ${project.id}`;
      const winner = { winner: entries[0], 'other winner': entries[1] }[onChain as string]?.submissionId ?? null;
      const status = onChain === 'cancellation' ? 'cancelled' : 'completed';
      assert.deepEqual([row?.['status'], row?.['winner']], [status, winner], nameOf(each));
      assert.equal(await heldOf(project.id), 0, nameOf(each));
    }
  });

  it('tells the operator which projects have another end', async () => {
    const contradicted = cases.filter((each) => !agree(each));
    for (const each of contradicted) assert.ok((await heldOf(each.project.id)) > 0, nameOf(each));
    const alerts = await restored.db<{ subject: string }[]>`
      select data ->> 'subject' as subject from events
      where type = 'ALERT.PAYOUT_HELD' and data ->> 'message' like 'The chain shows another end%'`;
    assert.deepEqual(
      alerts.map(({ subject }) => subject).toSorted(),
      contradicted.map(({ project }) => `project:${project.id}`).toSorted(),
    );
  });
});
