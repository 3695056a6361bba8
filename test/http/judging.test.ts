import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { advanceProjects } from '../../server/judging/advance-projects.ts';
import { sendPayouts } from '../../server/payouts/send-payouts.ts';
import { operations } from '../../contract/operations.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import {
  ledger,
  openProject,
  type OpenProject,
  putPicture,
  registerPoster,
  requestUpload,
} from '../support/clients/journey.ts';
import { callOperation, withoutId } from '../support/clients/requests.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({ env: { LIMIT_POSTER_PER_MINUTE: '10000' } });
const { url, service, clock, operatorKey, errors } = world;
const { enter, upload, confirmOf } = entriesOf(world);
const stranger = await registerPoster(url);

const own = (project: OpenProject) => `/posters/me/projects/${project.id}`;
const read = async (project: OpenProject) =>
  (await call(url, 'GET', own(project), { key: project.poster.key })).body.data.project;
const close = (project: OpenProject) => call(url, 'POST', `${own(project)}/close`, { key: project.poster.key });
const review = (project: OpenProject, submissionId: string, body: object) =>
  call(url, 'PUT', `${own(project)}/submissions/${submissionId}/review`, { key: project.poster.key, body });
const choose = (project: OpenProject, submission_id: string) =>
  call(url, 'POST', `${own(project)}/winner`, { key: project.poster.key, body: { submission_id } });
const operator = (project: OpenProject, path: string, reason = 'Against the rules') =>
  call(url, 'POST', `/operator/projects/${project.id}/${path}`, { key: operatorKey, body: { reason } });

/** Creates a confirmed entry in a free project: two requests and an upload. */
async function enterFree(project: OpenProject): Promise<Entry> {
  const entry = await enter(project.id);
  const { data } = (await requestUpload(url, { ...entry })).body;
  assert.equal(await putPicture(data.uploadUrl, picture), 200);
  assert.equal((await confirmOf(entry)).status, 200);
  return entry;
}

/**
 * Runs the jobs until the project's field has the value. The timers of the service run them too, and a direct call skips a
 * project that a timer holds.
 */
async function becomes(project: OpenProject, field: 'status' | 'payout_status', value: string): Promise<void> {
  const { signal } = new AbortController();
  await until(`${field} ${value}`, async () => {
    await advanceProjects(service.deps);
    await sendPayouts(service.deps, signal);
    return (await read(project))[field] === value;
  });
}

const freeProject = (fields: object = {}) => openProject(world, { entryFeeUsdc: 0, fields: { ...fields } });

describe('from an open project to a paid winner', () => {
  it('scores, closes, and chooses; the prize arrives on chain, and the project is completed', async () => {
    const project = await openProject(world, { prizeUsdc: 2 });
    const entry = await enter(project.id);
    await upload(entry);
    assert.equal((await confirmOf(entry)).status, 200);
    const reviewed = await review(project, entry.submissionId, { score: 4, feedback: 'Calm water' });
    assert.deepEqual(
      [reviewed.status, reviewed.body.data.review.score, reviewed.body.data.review.feedback],
      [200, 4, 'Calm water'],
    );
    assert.equal((await close(project)).body.data.project.status, 'judging');
    const chosen = (await choose(project, entry.submissionId)).body.data.project;
    assert.deepEqual([chosen.selection, chosen.winner_submission_id], ['poster', entry.submissionId]);
    await becomes(project, 'status', 'completed');
    const { status, payout_status, payouts } = await read(project);
    assert.deepEqual([status, payout_status, payouts.length], ['completed', 'settled', 1]);
    assert.match(payouts[0].tx_hash, /^0x[0-9a-f]{64}$/);
    const [agent] = await service.deps.db<{ wallet: string; earned: number }[]>`
      select wallet_address as wallet, earned_micro as earned from agents where id = ${entry.agentId}`;
    assert.equal(agent!.earned, 1_900_000);
    // The initial 5 USDC, less the fee, plus the prize.
    assert.equal(await service.deps.chain.balanceMicro(agent!.wallet), 5_000_000 - 250_000 + 1_900_000);
    const { balanced, chain_matches, accounts } = await ledger(world);
    assert.deepEqual([balanced, chain_matches], [true, true]);
    assert.equal(accounts.find(({ account }) => account === 'revenue')?.balance_micro, 350_000);
  });

  it('tells the poster that a prize waits for a linked wallet', async () => {
    const project = await freeProject();
    const { submissionId } = await enterFree(project);
    await close(project);
    const { payout_status, payouts } = (await choose(project, submissionId)).body.data.project;
    assert.deepEqual(
      [payout_status, payouts],
      [
        'waiting_for_wallet',
        [
          {
            kind: 'prize',
            submission_id: submissionId,
            amount_micro: 950_000,
            status: 'waiting_for_wallet',
            tx_hash: null,
          },
        ],
      ],
    );
    assert.equal((await choose(project, submissionId)).status, 200);
    codeIs(await review(project, submissionId, { score: 1 }), 409, 'PROJECT_STATE_CONFLICT', /awarded/);
    codeIs(await operator(project, 'cancel'), 409, 'PROJECT_STATE_CONFLICT', /awarded/);
    codeIs(await operator(project, `submissions/${submissionId}/disqualify`), 409, 'PROJECT_STATE_CONFLICT', /awarded/);
  });
});

const closeAndChoose = (project: OpenProject, submission_id: string | null) =>
  call(url, 'POST', `${own(project)}/close-and-choose`, { key: project.poster.key, body: { submission_id } });
const note = (project: OpenProject, submissionId: string, body: object) =>
  call(url, 'PATCH', `${own(project)}/submissions/${submissionId}/note`, { key: project.poster.key, body });

describe('notes on entries', () => {
  it('are shown to their poster, and to nobody else', async () => {
    const project = await freeProject();
    const [one, two] = [await enterFree(project), await enterFree(project)];
    assert.equal((await note(project, one.submissionId, { mark: 'shortlist' })).status, 200);
    const drafted = await note(project, one.submissionId, { feedback_draft: 'Private: too dark' });
    assert.deepEqual(
      [drafted.status, drafted.body.data.note.mark, drafted.body.data.note.feedback_draft],
      [200, 'shortlist', 'Private: too dark'],
    );
    assert.equal((await note(project, two.submissionId, { mark: 'out' })).status, 200);
    const listed = await call(url, 'GET', `${own(project)}/submissions`, { key: project.poster.key });
    assert.deepEqual(
      listed.body.data.submissions.map((entry: Record<string, unknown>) => [
        entry['mark'],
        entry['feedback_draft'],
        entry['feedback'],
      ]),
      [
        ['shortlist', 'Private: too dark', null],
        ['out', null, null],
      ],
    );
    await closeAndChoose(project, two.submissionId);
    const others = [
      await call(url, 'GET', `/operator/projects/${project.id}/submissions`, { key: operatorKey }),
      await call(url, 'GET', `/agents/me/submissions/${one.submissionId}`, { key: one.key }),
      await call(url, 'GET', '/agents/me/history', { key: one.key }),
      await call(url, 'GET', `/projects/${project.id}/submissions`),
    ];
    assert.equal(others[0]!.status, 200);
    for (const { body } of others)
      assert.doesNotMatch(JSON.stringify(body), /too dark|shortlist|"mark"|feedback_draft/);
  });

  it('have a mark or a draft of at most 2,000 characters', async () => {
    const project = await freeProject();
    const { submissionId } = await enterFree(project);
    for (const body of [{}, { mark: 'best' }, { feedback_draft: 'x'.repeat(2001) }, { score: 3 }])
      codeIs(await note(project, submissionId, body), 400, 'VALIDATION_ERROR');
    codeIs(await note(project, stranger.id, { mark: 'out' }), 404, 'SUBMISSION_NOT_FOUND');
    codeIs(await note({ ...project, id: stranger.id }, submissionId, { mark: 'out' }), 404, 'PROJECT_NOT_FOUND');
  });
});

describe('closing early and choosing in one step', () => {
  it('pays the winner and completes the project', async () => {
    const project = await openProject(world, { prizeUsdc: 2 });
    const entry = await enter(project.id);
    await upload(entry);
    assert.equal((await confirmOf(entry)).status, 200);
    const { status, body } = await closeAndChoose(project, entry.submissionId);
    assert.deepEqual([status, body.data.project.winner_submission_id], [200, entry.submissionId]);
    await becomes(project, 'status', 'completed');
    codeIs(await closeAndChoose(project, null), 409, 'PROJECT_STATE_CONFLICT', /completed/);
    codeIs(await closeAndChoose(await freeProject(), stranger.id), 404, 'SUBMISSION_NOT_FOUND');
    codeIs(await closeAndChoose({ ...project, id: stranger.id }, null), 404, 'PROJECT_NOT_FOUND');
  });
});

describe('the grace period after the deadline', () => {
  it('ends when the last paid entry is confirmed', async () => {
    const project = await freeProject({ judging_hours: 1 });
    await enterFree(project);
    const entry = await enter(project.id);
    const { data } = (await requestUpload(url, { ...entry })).body;
    assert.equal(await putPicture(data.uploadUrl, picture), 200);
    const closing = await close(project);
    assert.deepEqual([closing.status, closing.body.data.project.status], [200, 'open']);
    assert.match(closing.body.data.message, /confirmation/);
    assert.equal((await confirmOf(entry)).status, 200);
    await becomes(project, 'status', 'judging');
    assert.equal((await read(project)).total_submissions, 2);
  });
});

describe('a project that the operator ends', () => {
  it('disqualifies an entry, cancels the project, and refunds all payments', async () => {
    const project = await freeProject();
    const [one, two] = [await enterFree(project), await enterFree(project)];
    const told = await operator(project, `submissions/${one.submissionId}/disqualify`, 'Traced');
    assert.deepEqual([told.status, told.body.data.submission.disqualify_reason], [200, 'Traced']);
    codeIs(await review(project, one.submissionId, { score: 5 }), 409, 'PROJECT_STATE_CONFLICT', /disqualified/);
    await close(project);
    codeIs(
      await operator(project, `submissions/${two.submissionId}/disqualify`),
      409,
      'PROJECT_STATE_CONFLICT',
      /last/,
    );
    const cancelled = await operator(project, 'cancel', 'Stolen brief');
    assert.deepEqual(
      [cancelled.status, cancelled.body.data.project.status, cancelled.body.data.project.cancel_reason],
      [200, 'cancelled', 'Stolen brief'],
    );
    await becomes(project, 'payout_status', 'settled');
    assert.equal(await service.deps.chain.balanceMicro(project.funder.address), 1_000_000);
    codeIs(await operator(project, 'cancel'), 409, 'PROJECT_STATE_CONFLICT', /cancelled/);
    codeIs(await close(project), 409, 'PROJECT_STATE_CONFLICT', /cancelled/);
    codeIs(await choose(project, two.submissionId), 409, 'PROJECT_STATE_CONFLICT', /cancelled/);
  });
});

describe('another poster', () => {
  it('sees neither these projects nor their entries, and cannot mix them with its own', async () => {
    const [project, other] = [await freeProject(), await freeProject()];
    const entry = await enterFree(project);
    const before = await read(project);
    const bodies = { chooseWinner: { submission_id: entry.submissionId }, reviewSubmission: { score: 1 } } as Record<
      string,
      object
    >;
    const { closeProject, reviewSubmission, chooseWinner, cancelProject } = operations;
    for (const spec of [closeProject, reviewSubmission, chooseWinner, cancelProject]) {
      const options = { key: stranger.key, ...(bodies[spec.id] ? { body: bodies[spec.id] } : {}) };
      const params = { project_id: project.id, submission_id: entry.submissionId };
      const [missing, foreign] = [
        await callOperation(url, spec, options),
        await callOperation(url, spec, { ...options, params }),
      ];
      codeIs(missing, 404, 'PROJECT_NOT_FOUND');
      assert.deepEqual(withoutId(foreign), withoutId(missing), spec.id);
    }
    for (const [missing, foreign] of [
      [await review(other, stranger.id, { score: 1 }), await review(other, entry.submissionId, { score: 1 })],
      [await choose(other, stranger.id), await choose(other, entry.submissionId)],
      [
        await operator(other, `submissions/${stranger.id}/disqualify`),
        await operator(other, `submissions/${entry.submissionId}/disqualify`),
      ],
    ]) {
      codeIs(missing!, 404, 'SUBMISSION_NOT_FOUND');
      assert.deepEqual(withoutId(foreign!), withoutId(missing!));
    }
    assert.deepEqual(await read(project), before);
    const nobodys = { ...project, id: stranger.id };
    codeIs(await operator(nobodys, 'cancel'), 404, 'PROJECT_NOT_FOUND');
    codeIs(await operator(nobodys, `submissions/${entry.submissionId}/disqualify`), 404, 'PROJECT_NOT_FOUND');
    codeIs(await review(project, entry.submissionId, { score: 6 }), 400, 'VALIDATION_ERROR', /score: 1 to 5/);
    codeIs(await operator(project, 'cancel', ' '), 400, 'VALIDATION_ERROR', /reason/);
  });

  it('need not act: the service resolves deadlines and silence by itself', async () => {
    const project = await openProject(world, { entryFeeUsdc: 0, fields: { judging_hours: 1 } });
    await enterFree(project);
    clock.offsetMs += 3_700_000;
    await becomes(project, 'status', 'judging');
    clock.offsetMs += 3_700_000;
    await becomes(project, 'status', 'cancelled');
    const { cancel_reason, winner_submission_id } = await read(project);
    assert.deepEqual([cancel_reason, winner_submission_id], ['silence', null]);
  });
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen('closeProject', 'reviewSubmission', 'chooseWinner', 'noteEntry', 'closeAndChoose'), []);
  assert.deepEqual(notSeen('cancelProjectAsOperator', 'disqualifySubmission'), []);
  assert.deepEqual(errors, []);
});
