import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it, test } from 'node:test';
import { submissionOperations } from '../../contract/projects/submissions.ts';
import { insertFile, insertSubmission } from '../../test/support/rows/rows.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { judgingWorld } from '../../test/support/worlds/judging-world.ts';
import { refusal } from '../../test/support/worlds/projects-world.ts';
import type { Config } from '../config.ts';
import type { Context } from '../deps.ts';
import type { AgentCaller, Tier } from '../callers.ts';
import { createIntent } from './create-intent.ts';
import { deleteIntent } from './delete-intent.ts';
import { endOfUtcDay, quotaResetSeconds } from './state.ts';
import { removeLeftoverUploads } from './remove-leftover-uploads.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db, { config: { earlyAccessSeconds: 60 } as Config });
const { openProject, newAgent, advance, at: timeIn } = world;
const WEEK_MS = 7 * 86_400_000;

const as = (agentId: string, tier: Tier = 'starter'): Context<AgentCaller> => {
  const context = world.agent(tier);
  return { ...context, caller: { ...context.caller, agentId } };
};

const intent = (projectId: string, by: Context<AgentCaller>) => {
  const body = submissionOperations.createIntent.body.parse({ title: 'An entry' });
  return createIntent(by, { params: { project_id: projectId }, body });
};

const withdraw = (projectId: string, by: Context<AgentCaller>) =>
  deleteIntent(by, { params: { project_id: projectId } });

/** Opens a project that every agent sees. Its deadline is a week away from now. */
async function opened(change: object = {}): Promise<string> {
  const deadline = { auto_select_deadline: timeIn(WEEK_MS + 60_000).toISOString() };
  const id = await openProject({ ...deadline, ...change });
  advance(60_000);
  return id;
}

/** Creates uploads, each of its own submission, oldest first. */
async function uploads(projectId: string, status: string, count: number, expiredMs: number): Promise<string[]> {
  const keys: string[] = [];
  for (let place = 0; place < count; place += 1) {
    const upload_key = `uploads/${randomUUIDv7()}.png`;
    const at = timeIn(place - expiredMs);
    const pending = { project_id: projectId, agent_id: await newAgent(), status: 'pending', submitted_at: null };
    await insertFile(db, at, await insertSubmission(db, at, pending), { upload_key, status });
    keys.push(upload_key);
  }
  return keys;
}

describe('createIntent', () => {
  it('of one agent exists once in a project, also if several are sent at once', async () => {
    const [id, agent] = [await opened(), as(await newAgent())];
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => intent(id, agent)));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const each of answers) if (each.status === 'rejected') assert.equal(each.reason.code, 'INTENT_ALREADY_EXISTS');
    await world.enter(id, { agentId: await newAgent() });
    const { agentId } = await world.enter(id);
    await refusal(intent(id, as(agentId)), 'SUBMISSION_EXISTS');
  });

  it('is of elite agents alone while the project is in early access', async () => {
    const id = await openProject({ auto_select_deadline: timeIn(WEEK_MS).toISOString() });
    await refusal(intent(id, as(await newAgent())), 'PROJECT_NOT_FOUND');
    await intent(id, as(await newAgent(), 'elite'));
  });

  it('is refused to a restricted agent, also while its cached key says that it is active', async () => {
    const [id, agentId] = [await opened(), await newAgent()];
    for (const [status, code] of [
      ['limited', 'AGENT_RESTRICTED'],
      ['under_review', 'AGENT_RESTRICTED'],
      ['suspended', 'AGENT_SUSPENDED'],
    ] as const) {
      await db`update agents set status = ${status}, status_reason = 'A test', status_since = ${timeIn()} where id = ${agentId}`;
      await refusal(intent(id, as(agentId)), code);
    }
  });
});

describe('the daily quota', () => {
  it('counts deleted intents, too: five a day for a starter, until midnight UTC', async () => {
    const [id, agentId] = [await opened(), await newAgent()];
    advance(endOfUtcDay(timeIn()).getTime() - timeIn().getTime() - 1_000);
    for (let count = 0; count < 5; count += 1) {
      await intent(id, as(agentId));
      await withdraw(id, as(agentId));
    }
    const refused = await refusal(intent(id, as(agentId)), 'RATE_LIMIT_EXCEEDED');
    assert.equal(refused.retryAfterSeconds, 1);
    advance(1_000);
    await intent(id, as(agentId));
  });

  it('holds for requests at once', async () => {
    const [projects, agentId] = [[await opened(), await opened(), await opened()], await newAgent()];
    for (let count = 0; count < 4; count += 1) {
      await intent(projects[0]!, as(agentId));
      await withdraw(projects[0]!, as(agentId));
    }
    const answers = await Promise.allSettled(projects.map((id) => intent(id, as(agentId))));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('has a whole day left at midnight', () => {
    const midnight = new Date('2026-11-24T00:00:00.000Z');
    assert.deepEqual(endOfUtcDay(new Date(midnight.getTime() - 1)), midnight);
    assert.deepEqual([quotaResetSeconds(new Date(midnight.getTime() - 1)), quotaResetSeconds(midnight)], [1, 86_400]);
  });
});

describe('open intents', () => {
  it('are at most maxConcurrentProjects; an unpaid one counts for a day', async () => {
    const [first, second, agentId] = [await opened(), await opened(), await newAgent()];
    await db`update agents set settings = ${db.json({ maxConcurrentProjects: 1 })} where id = ${agentId}`;
    await intent(first, as(agentId));
    await refusal(intent(second, as(agentId)), 'INTENT_LIMIT_REACHED');
    advance(24 * 3_600_000);
    await intent(second, as(agentId));
  });
});

test('removes inspected, refused, and replaced uploads after their URL expired, pending ones when entries ended', async () => {
  const id = await opened();
  const gone = [
    ...(await uploads(id, 'completed', 1, 90_000)),
    ...(await uploads(id, 'refused', 1, 80_000)),
    ...(await uploads(id, 'superseded', 1, 70_000)),
  ];
  const [inspected, unconfirmed] = await uploads(id, 'pending', 2, 90_000);
  await db`update media_files set confirm_requested_at = ${timeIn()} where upload_key = ${inspected!}`;
  await uploads(id, 'refused', 1, 50_000);
  const removed: string[] = [];
  const storage = { remove: async (key: string) => void removed.push(key) };
  const run = () => removeLeftoverUploads({ ...world.deps, storage } as never, new AbortController().signal);
  assert.equal(await run(), 3);
  assert.deepEqual(removed, gone);
  assert.equal(await run(), 0);
  await world.setStatus(id, 'judging');
  assert.equal(await run(), 1);
  assert.equal(removed.at(-1), unconfirmed);
});
