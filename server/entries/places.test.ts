import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { insertFile } from '../../test/support/rows/rows.ts';
import { GRACE_MS, HOUR_MS, judgingWorld, WEEK_MS } from '../../test/support/worlds/judging-world.ts';
import { refusal } from '../../test/support/worlds/projects-world.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/transaction.ts';
import type { AgentCaller } from '../callers.ts';
import type { EntryFeeOrder } from '../payments/types.ts';
import { findProjectForEntry } from '../projects/public.ts';
import { confirmUpload } from './confirmation/confirm-upload.ts';
import { recordInspectionResults } from './confirmation/record-results.ts';
import { entryFeeSubject } from './entry-fee.ts';
import { lapsePlaces } from './places.ts';
import type { RequestedFile } from './types.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { advance, at, deps, enter, openProject } = world;
const MINUTE_MS = 60_000;
const payer = `0x${'9'.repeat(40)}`;

const as = (agentId: string): Context<AgentCaller> => {
  const context = world.agent();
  return { ...context, caller: { ...context.caller, agentId } };
};

/** Claims the fee of a new intent, and returns what the agent has then. */
async function claim(projectId: string) {
  const entry = await enter(projectId, { fee: 'none', confirmed: false });
  const agent = as(entry.agentId).caller;
  const project = await findProjectForEntry(db, { projectId, tier: 'starter', now: at() });
  const order = { agent, project, submissionId: entry.id, offeredTerms: undefined, readFile: () => ({}) };
  await withTransaction(db, (tx) => entryFeeSubject(deps).claim(tx, order as unknown as EntryFeeOrder, payer));
  return entry;
}

async function stateOf(projectId: string, submissionId: string) {
  const [row] = await db<{ taken: number; until: Date | null }[]>`
    select p.places_taken as taken, s.place_until as until from submissions s join projects p on p.id = s.project_id
    where p.id = ${projectId} and s.id = ${submissionId}`;
  return { taken: row?.taken, until: row?.until ?? null };
}

const upload = (submissionId: string) => insertFile(db, at(), submissionId);

/** `meanwhile`: what happens while the request waits for a connection. */
function confirm(projectId: string, { id, agentId }: { id: string; agentId: string }, meanwhile = async () => {}) {
  // The request is recorded before the inspection, which is not part of this test.
  const inspections = {
    times: { waitMs: 1_000 },
    joined: (_key: string, work: () => unknown) => meanwhile().then(work),
    inspect: () => Promise.reject(new Error('recorded')),
  };
  return confirmUpload({ ...as(agentId), inspections } as unknown as Context<AgentCaller>, {
    params: { project_id: projectId, submission_id: id },
    body: undefined,
  });
}

it('a place without a confirmed entry lapses after its time; the fee stays paid and confirms only while a place is free', async () => {
  const id = await openProject({ max_entries: 2 });
  const [first, second] = [await claim(id), await claim(id)];
  for (const entry of [first, second]) {
    await db`update submissions set entry_fee_paid_micro = 250000 where id = ${entry.id}`;
    await upload(entry.id);
  }
  assert.deepEqual(await stateOf(id, first.id), { taken: 2, until: at(30 * MINUTE_MS) });
  await assert.rejects(claim(id), { code: 'PROJECT_FULL' });
  advance(30 * MINUTE_MS - 1);
  await lapsePlaces(deps);
  assert.equal((await stateOf(id, first.id)).taken, 2);
  // A confirmation that is requested in time keeps the place while its picture is inspected.
  await assert.rejects(confirm(id, second), { message: 'recorded' });
  advance(1);
  await Promise.all([lapsePlaces(deps), lapsePlaces(deps)]);
  assert.deepEqual(await stateOf(id, first.id), { taken: 1, until: null });
  assert.notEqual((await stateOf(id, second.id)).until, null);
  await claim(id);
  const refused = await refusal(confirm(id, first), 'PROJECT_FULL');
  assert.match(refused.message, /fee stays paid/);
  await world.update(id, { max_entries: 3 });
  await assert.rejects(confirm(id, first), { message: 'recorded' });
});

it('an entry whose fee vanished from the chain for good is not confirmed', async () => {
  const projectId = await openProject();
  const { id: submissionId, agentId } = await enter(projectId, { confirmed: false });
  await upload(submissionId);
  await assert.rejects(confirm(projectId, { id: submissionId, agentId }), { message: 'recorded' });
  const again = await world.vanish('entry_fee', submissionId);
  const file = { fileId: submissionId } as RequestedFile;
  const facts = {
    width: 1,
    height: 1,
    contentType: 'image/png',
    sha256: Buffer.alloc(32),
    perceptualHash: 0n,
  } as const;
  const record = () =>
    recordInspectionResults(
      deps,
      { submissionId, projectId, agentId, requestedAt: at(), itemsNeeded: null, files: [file] },
      [{ kind: 'accepted', file, facts, originalKey: 'original' }],
    );
  await again({ state: 'dead' });
  await assert.rejects(record(), { code: 'MEDIA_FILE_NOT_FOUND', message: /pay again/ });
});

it('a place lapses after half of the time until the deadline, if that is less; a failed fee frees it once', async () => {
  const id = await openProject({ max_entries: 2 });
  advance(WEEK_MS - 0.5 * HOUR_MS);
  const [first, second] = [await claim(id), await claim(id)];
  assert.deepEqual((await stateOf(id, first.id)).until, at(15 * MINUTE_MS));
  const release = (submissionId: string) =>
    withTransaction(db, async (tx) => await entryFeeSubject(deps).release?.(tx, submissionId));
  await release(first.id);
  assert.deepEqual(await stateOf(id, first.id), { taken: 1, until: null });
  advance(15 * MINUTE_MS);
  await lapsePlaces(deps);
  await release(second.id);
  assert.deepEqual(await stateOf(id, second.id), { taken: 0, until: null });
});

it('the grace of the confirmation ends 30 seconds after the deadline, by the time of the request', async () => {
  const id = await openProject();
  const [entry, late] = [await enter(id, { confirmed: false }), await enter(id, { confirmed: false })];
  for (const { id: submissionId } of [entry, late]) await upload(submissionId);
  advance(WEEK_MS + GRACE_MS);
  await assert.rejects(confirm(id, entry), { message: 'recorded' });
  advance(1);
  await refusal(confirm(id, late), 'PROJECT_DEADLINE_PASSED');
});

it('a confirmation that came in the grace period counts, although it is recorded 5 seconds after its end', async () => {
  const id = await openProject();
  const [, entry] = [await enter(id), await enter(id, { confirmed: false })];
  await upload(entry.id);
  advance(WEEK_MS + GRACE_MS);
  const cameAt = at();
  const meanwhile = async () => {
    advance(5_000);
    await world.advanceProjects();
  };
  await assert.rejects(confirm(id, entry, meanwhile), { message: 'recorded' });
  const [file] = await db`select confirm_requested_at as at from media_files where submission_id = ${entry.id}`;
  assert.deepEqual(file, { at: cameAt });
});
