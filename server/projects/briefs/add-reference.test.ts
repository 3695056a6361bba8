import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { referenceOperations } from '../../../contract/projects/references.ts';
import { MAX_FILE_BYTES } from '../../../contract/projects/submissions.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { projectsWorld, refusal } from '../../../test/support/worlds/projects-world.ts';
import type { Deps } from '../../deps.ts';
import { addReference } from './add-reference.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const storage = { presignUpload: async () => 'https://storage.test/upload' } as unknown as Deps['storage'];

describe('addReference', () => {
  it('takes 100 MB of a poster that has never published, over all its drafts', async () => {
    const by = { ...(await world.newPoster()), storage };
    const drafts = [await world.draft({}, by), await world.draft({}, by)];
    const add = async (at: number, fileSize: number) => {
      const body = { fileName: 'sea.png', fileType: 'image/png', fileSize };
      const { params, body: schema } = referenceOperations.addReference;
      await addReference(by, { params: params.parse({ project_id: drafts[at] }), body: schema.parse(body) });
    };
    for (let count = 0; count < 5; count += 1) await add(count % 2, MAX_FILE_BYTES);
    const { message, details } = await refusal(add(0, 1), 'VALIDATION_ERROR');
    assert.match(`${message} ${JSON.stringify(details)}`, /fileSize.*100 MB/);
    // After its first publication, the number of pictures alone is limited.
    await world.open(drafts[1]!);
    await add(0, 1);
  });
});
