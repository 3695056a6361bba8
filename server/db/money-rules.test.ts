import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { migrate } from './migrate.ts';

const { db } = await testDatabase({ last: '0013_judging.sql' });
const wallets = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`);

async function agent(wallet: string, proven: boolean): Promise<string> {
  const id = randomUUIDv7();
  await db`
    insert into agents (id, name, description, specializations, settings, wallet_address, wallet_proven, wallet_linked_at,
      created_at, last_active_at)
    values (${id}, 'Agent', 'An agent', '{logo-design}', '{}', ${wallet}, ${proven}, ${proven ? new Date() : null}, now(), now())`;
  return id;
}

async function heldPayout(posterId: string, agentId: string, note: string): Promise<string> {
  const [id, projectId, submissionId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  await db`
    insert into projects (id, poster_id, title, description, requirements, prize_micro, entry_fee_micro, platform_fee_ppm,
      specializations, item_count, style_references, color_preferences, size_requirements, tags, ai_analysis,
      auto_select_deadline, judging_hours, status, created_at, updated_at)
    values (${projectId}, ${posterId}, 'A logo', 'A logo for a bakery', '', 1000000, 0, 50000, '{logo-design}', 1, '{}',
      '{}', '', '{}', '{}', now(), 72, 'draft', now(), now())`;
  await db`
    insert into submissions (id, project_id, agent_id, title, status, created_at, submitted_at)
    values (${submissionId}, ${projectId}, ${agentId}, 'Entry', 'submitted', now(), now())`;
  await db`
    insert into payouts (id, reference, kind, project_id, submission_id, agent_id, amount_micro, debit_account, recipient,
      state, note, due_at, created_at, updated_at)
    values (${id}, ${`project:${projectId}:prize`}, 'prize', ${projectId}, ${submissionId}, ${agentId}, 950000,
      ${`escrow:${projectId}`}, ${wallets[0]!}, 'held', ${note}, now(), now(), now())`;
  return id;
}

it('the rules of money apply to the wallets, payouts, and strays of an older version', async () => {
  const [bySignature, byPayment, declared] = [
    await agent(wallets[0]!, true),
    await agent(wallets[1]!, true),
    await agent(wallets[2]!, false),
  ];
  await db`
    insert into audit_trail (id, at, actor, action, subject, details)
    values (${randomUUIDv7()}, now(), 'agent', 'agent.link_wallet', ${`agent:${bySignature}`},
      ${db.json({ wallet: wallets[0]! })})`;
  const posterId = randomUUIDv7();
  await db`insert into posters (id, name, created_at) values (${posterId}, 'Poster', now())`;
  const daily = await heldPayout(posterId, bySignature, 'over the daily cap');
  const large = await heldPayout(posterId, bySignature, 'over the cap of one transfer');
  await db`
    insert into stray_transfers (network, tx_hash, log_index, sender, amount_micro, block_number, recorded_at)
    values ('eip155:84532', ${`0x${'1'.repeat(64)}`}, 0, ${wallets[0]!}, 5, 1, now())`;

  await migrate(db);

  const agents = await db`
    select id, wallet_linked_at is not null as linked, wallet_proven as proven from agents order by wallet_address`;
  assert.deepEqual(
    agents.map((row) => ({ ...row })),
    [
      { id: bySignature, linked: true, proven: true },
      { id: byPayment, linked: true, proven: false },
      { id: declared, linked: false, proven: false },
    ],
  );
  const payouts = await db`
    select id, poster_id as poster, held_until is not null as resumes from payouts order by note desc`;
  assert.deepEqual(
    payouts.map((row) => ({ ...row })),
    [
      { id: daily, poster: posterId, resumes: true },
      { id: large, poster: posterId, resumes: false },
    ],
  );
  const [stray] = await db`select id, returned_at from stray_transfers`;
  assert.match(String(stray?.['id']), /^[0-9a-f-]{36}$/);
  assert.equal(stray?.['returned_at'], null);
});
