import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { type AiRequest, completion, sendJson, startAiServer, verdict } from '../support/servers/ai-server.ts';
import { call } from '../support/clients/client.ts';
import { assertBooks } from '../support/endings/ending.ts';
import { entriesOf } from '../support/clients/entries.ts';
import { drawing, expectStatus, openProject, testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { toldEvents } from '../support/told-events.ts';

// A service with a model whose posters do not judge. Deadlines pass, and the model's scores decide, or nothing does.

const DAY_MS = 86_400_000;
// The amount that `upload` puts into a wallet, and the fee that it pays.
const FUNDS_MICRO = 5_000_000;
const FEE_MICRO = 250_000;
const KEY = `sk-${randomBytes(20).toString('hex')}`;
const server = await startAiServer();
const world = await startWorld({
  logLevel: 'debug',
  env: { AI_URL: server.url, AI_MODEL: 'judge-1', AI_KEY: KEY, LIMIT_POSTER_PER_MINUTE: '10000' },
});
const { url, clock, logLines, service } = world;
const { enter, upload, confirmOf } = entriesOf(world);

const isAnalysis = ({ body }: AiRequest) => body.messages[1].content.length === 1;
const pictureOf = ({ body }: AiRequest) =>
  Buffer.from(body.messages[1].content[1]!.image_url!.url.split(',')[1]!, 'base64');

/** Returns the mean red of the picture that the model received. */
async function redOf(request: AiRequest): Promise<number> {
  const { channels } = await sharp(pictureOf(request)).stats();
  return Math.round(channels[0]!.mean);
}

async function judgedProject(pictures: Buffer<ArrayBuffer>[]) {
  const project = await openProject(world, {
    deadline: new Date(clock.now().getTime() + DAY_MS),
    fields: { judging_hours: 1 },
  });
  const entries = [];
  for (const picture of pictures) {
    const entry = { ...(await enter(project.id)), sizeBytes: picture.length };
    await upload(entry, picture);
    expectStatus(await confirmOf(entry), 200);
    entries.push(entry);
  }
  return { ...project, entries };
}

async function ownProject({ id, poster }: { id: string; poster: { key: string } }) {
  const answer = await call(url, 'GET', `/posters/me/projects/${id}`, { key: poster.key });
  return expectStatus(answer, 200).body.data.project as Record<string, unknown>;
}

/** Returns the prize money of each agent on chain. Each has paid one fee. */
async function wonMicro({ entries }: Awaited<ReturnType<typeof judgedProject>>): Promise<number[]> {
  const won: number[] = [];
  for (const { key } of entries) {
    const { wallet } = (await call(url, 'GET', '/agents/me', { key })).body.data;
    won.push((await service.deps.chain.balanceMicro(wallet.address)) - (FUNDS_MICRO - FEE_MICRO));
  }
  return won;
}

/** Moves time until the project ends, without any judging by its poster. */
async function untilEnded(project: Awaited<ReturnType<typeof judgedProject>>) {
  clock.offsetMs += DAY_MS + 1_000;
  await until('judging', async () => (await ownProject(project))['status'] === 'judging');
  clock.offsetMs += 2 * 3_600_000;
  return await until('the end', async () => {
    const shown = await ownProject(project);
    return shown['status'] === 'completed' && shown;
  });
}

describe('a service with a model', () => {
  it('analyzes a brief, scores the entries of a silent poster, and pays the best one', async () => {
    server.behave(async (request, response) => {
      if (isAnalysis(request))
        return sendJson(response, completion({ content: '{"complexity_score":6.5,"estimated_hours":12}' }));
      const content = (await redOf(request)) > 150 ? verdict(5, 'Exactly the lighthouse.') : verdict(2, 'No boat.');
      return sendJson(response, completion({ content }));
    });
    // The reds are about 67 and 201.
    const project = await judgedProject([await testPicture(1), await testPicture(3)]);
    assert.deepEqual((await ownProject(project))['ai_analysis'], { complexity_score: 6.5, estimated_hours: 12 });
    const ended = await untilEnded(project);
    assert.deepEqual([ended['winner_submission_id'], ended['selection']], [project.entries[1]!.submissionId, 'ai']);
    const rows = await service.deps.db`
      select score, score_source, feedback, outcome from submissions where project_id = ${project.id} order by id`;
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { score: 2, score_source: 'ai', feedback: 'No boat.', outcome: 'lost' },
        { score: 5, score_source: 'ai', feedback: 'Exactly the lighthouse.', outcome: 'won' },
      ],
    );
    const shown = server.requests.filter((request) => !isAnalysis(request));
    assert.equal(shown.length, 2);
    for (const request of shown) {
      const { format, exif, icc, xmp } = await sharp(pictureOf(request)).metadata();
      assert.deepEqual([format, exif, icc, xmp], ['webp', undefined, undefined, undefined]);
    }
    assert.deepEqual(await wonMicro(project), [0, 950_000]);
    // The platform's part of the prize, and both fees.
    assert.equal(await service.deps.chain.balanceMicro(service.deps.payTo), 50_000 + 2 * FEE_MICRO);
    await assertBooks(world);
  });

  it('judges the others if the model refuses one picture, which ranks last as unscorable', async () => {
    server.behave(async (request, response) => {
      if (isAnalysis(request)) return sendJson(response, {}, 503);
      const red = await redOf(request);
      // The picture of the attacker, which trips the content filter of the model in every try.
      if (red > 240) return sendJson(response, completion({ content: 'I cannot help with that.' }));
      return sendJson(response, completion({ content: red > 150 ? verdict(4, 'Good.') : verdict(3, 'Fair.') }));
    });
    const white = { create: { width: 160, height: 120, channels: 3, background: 'white' } } as const;
    const hostile = Buffer.from(await sharp(white).png().toBuffer());
    const project = await judgedProject([hostile, await testPicture(1), await testPicture(3)]);
    clock.offsetMs += DAY_MS + 1_000;
    await until('judging', async () => (await ownProject(project))['status'] === 'judging');
    clock.offsetMs += 2 * 3_600_000;
    const ended = await until('the end', async () => {
      // Skip the pauses between the tries.
      clock.offsetMs += 60_000;
      const shown = await ownProject(project);
      return shown['status'] === 'completed' && shown;
    });
    const [attacker, , best] = project.entries;
    assert.deepEqual([ended['selection'], ended['winner_submission_id']], ['ai', best!.submissionId]);
    const galleries = [
      await call(url, 'GET', `/posters/me/projects/${project.id}/submissions`, { key: project.poster.key }),
      await call(url, 'GET', `/operator/projects/${project.id}/submissions`, { key: world.operatorKey }),
    ];
    for (const gallery of galleries) {
      const { submissions } = expectStatus(gallery, 200).body.data as { submissions: Record<string, unknown>[] };
      assert.deepEqual(
        submissions.map((each) => [each['rank'], each['score'], each['judging_note'], each['judging_reason']]),
        [
          [3, null, 'unscorable', 'an answer of another form'],
          [2, 3, null, null],
          [1, 4, null, null],
        ],
      );
    }
    const own = expectStatus(await call(url, 'GET', '/agents/me/history', { key: attacker!.key }), 200).body.data;
    const [{ status, rank, judgingNote, judgingReason }] = own.submissions;
    assert.deepEqual(
      [status, rank, judgingNote, judgingReason],
      ['lost', 3, 'unscorable', 'an answer of another form'],
    );
    assert.ok(logLines.some((line) => line.includes('ai_entry_unscorable') && line.includes(attacker!.submissionId)));
    const subject = `submission:${attacker!.submissionId}`;
    assert.equal((await toldEvents(service.deps.db, 'ALERT.AI_ENTRY_UNSCORABLE', { subject })).length, 1);
    assert.deepEqual(await wonMicro(project), [0, 0, 950_000]);
    await assertBooks(world);
  });

  it('leaves the project to silence if the model scores no entry, and analyzes the brief by counting', async () => {
    server.behave((_, response) =>
      sendJson(response, completion({ content: 'Entry 2 should win, I am sure. {"score":5}' })),
    );
    const project = await judgedProject([await drawing(1), await drawing(2)]);
    assert.notEqual((await ownProject(project))['ai_analysis'], null);
    clock.offsetMs += DAY_MS + 1_000;
    await until('judging', async () => (await ownProject(project))['status'] === 'judging');
    clock.offsetMs += 2 * 3_600_000;
    const ended = await until('the end', async () => {
      // Skip the pause between two tries.
      clock.offsetMs += 60_000;
      const shown = await ownProject(project);
      return shown['status'] === 'completed' && shown;
    });
    assert.deepEqual([ended['winner_submission_id'], ended['selection']], [null, 'silence']);
    const subject = `project:${project.id}`;
    assert.equal((await toldEvents(service.deps.db, 'ALERT.AI_JUDGING_IMPOSSIBLE', { subject })).length, 1);
    const rows = await service.deps.db<{ score: number | null; outcome: string }[]>`
      select score, outcome from submissions where project_id = ${project.id}`;
    assert.deepEqual(
      rows.map(({ score, outcome }) => [score, outcome]),
      [
        [null, 'shared'],
        [null, 'shared'],
      ],
    );
    // Equal shares, and the fees.
    assert.deepEqual(await wonMicro(project), [475_000 + FEE_MICRO, 475_000 + FEE_MICRO]);
    await assertBooks(world);
  });

  it('never reveals its key', () => {
    assert.ok(server.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`));
    assert.equal(logLines.join('').includes(KEY), false);
  });
});
