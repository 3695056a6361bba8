import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { type AiRequest, completion, says, sendJson, verdict } from '../../../test/support/servers/ai-server.ts';
import { aiJudgingWorld, dataOf, MINUTE } from '../../../test/support/worlds/ai-judging-world.ts';

const { advance, db, deps, server, judge, judged, judgeToTheEnd, scoresOf, at } = await aiJudgingWorld();

/** Creates a project with one entry. Its pictures are made in the order of `items`. */
async function set(items: number[]): Promise<{ id: string; mediaFileIds: string[] }> {
  const { id, entries } = await judged(1);
  const [entry] = entries;
  await db`update media_files set item = ${items[0]!} where id = ${entry!.mediaFileId}`;
  const mediaFileIds = [entry!.mediaFileId];
  for (const item of items.slice(1)) {
    const fileId = randomUUIDv7();
    const file = { id: fileId, submission_id: entry!.id, item, upload_key: fileId, original_name: 'a.png' };
    const content = { content_type: 'image/png', size_bytes: 1, status: 'completed' };
    await db`insert into media_files ${db({ ...file, ...content, created_at: at(), expires_at: at() })}`;
    mediaFileIds.push(fileId);
  }
  return { id, mediaFileIds };
}

const picturesOf = ({ body }: AiRequest) =>
  body.messages[1].content.slice(1).map((part) => Buffer.from(part.image_url!.url.split(',')[1]!, 'base64').toString());

describe('a set judged by a model', () => {
  it('is shown whole, by item, in one request, and gets one score', async () => {
    server.behave(says(verdict(4)));
    const { id, mediaFileIds } = await set([3, 1, 2]);
    await judge(id);
    assert.equal(server.requests.length, 1);
    const [third, first, second] = mediaFileIds;
    assert.deepEqual(
      picturesOf(server.requests[0]!),
      [first, second, third].map((fileId) => `plain-image of ${fileId}`),
    );
    assert.equal(dataOf(server.requests[0]!).entry['number_of_pictures'], 3);
    assert.deepEqual(
      (await scoresOf(id)).map(({ score }) => score),
      [4],
    );
  });

  it('is shown as thumbnails if it is large', async () => {
    server.behave(says(verdict(4)));
    const { id, mediaFileIds } = await set(Array.from({ length: 20 }, (_, index) => index + 1));
    await judge(id);
    assert.deepEqual(
      picturesOf(server.requests[0]!),
      mediaFileIds.map((fileId) => `plain-thumbnail of ${fileId}`),
    );
  });

  it('is judged by its first picture if the endpoint takes one only', async () => {
    server.behave((request, response) => {
      if (picturesOf(request).length > 1) response.writeHead(400).end('{}');
      else sendJson(response, completion({ content: verdict(3) }));
    });
    const { id, mediaFileIds } = await set([1, 2]);
    await judgeToTheEnd(id);
    assert.deepEqual(picturesOf(server.requests.at(-1)!), [`plain-image of ${mediaFileIds[0]}`]);
    assert.deepEqual(
      (await scoresOf(id)).map(({ score }) => score),
      [3],
    );
  });

  it('is shown in part if the budget of a day is smaller than the set', async () => {
    server.behave(says(verdict(4)));
    // The budget of the next day is not used yet.
    advance(24 * 60 * MINUTE);
    const { id } = await set([1, 2, 3, 4]);
    await judge(id, { config: { ...deps.config, aiTokens: { perEntry: 8_000, perDay: 9_000 } } });
    const shown = picturesOf(server.requests[0]!).length;
    assert.ok(shown >= 1 && shown < 4, `${shown} pictures`);
    assert.deepEqual(
      (await scoresOf(id)).map(({ score }) => score),
      [4],
    );
  });
});
