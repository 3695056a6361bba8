import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { termsOperations } from '../../../contract/projects/terms.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { projectsWorld, refusedAlike } from '../../../test/support/worlds/projects-world.ts';
import { getProject } from '../../views/market/get-project.ts';
import { getTerms, getTermsVersion } from './get-terms.ts';
import type { Context } from '../../deps.ts';
import type { PublicCaller } from '../../ports/callers.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const everyone: Context<PublicCaller> = { ...world.poster, caller: { kind: 'public' } };
const read = async (project_id: string) =>
  termsOperations.getTerms.output.parse(await getTerms(everyone, { params: { project_id } }));
const readVersion = (project_id: string, version: number) =>
  getTermsVersion(everyone, { params: { project_id, version } });

it('shows terms from the end of early access on, and to elite agents in the detail before', async () => {
  const [draft, id] = [await world.draft(), await world.published()];
  world.advance(59_999);
  await refusedAlike([read(id), readVersion(id, 1), read(randomUUIDv7()), read(draft)], 'PROJECT_NOT_FOUND');
  const { project } = await getProject(world.agent('elite'), { params: { projectId: id } });
  world.advance(1);
  const { terms, terms_hash } = await read(id);
  assert.deepEqual([project.terms, project.terms_hash], [terms, terms_hash]);
});

it('is guarded by the database: a version cannot change, and its hash is that of its text', async () => {
  const id = await world.published();
  for (const statement of [
    db`update project_terms set canonical = '{}' where project_id = ${id}`,
    db`delete from project_terms where project_id = ${id}`,
    db`truncate project_terms`,
  ])
    await assert.rejects(statement, /append-only/);
  const forged = db`
    insert into project_terms (project_id, version, canonical, hash, reason, created_at)
    select project_id, 2, '{}', hash, 'closes_early', created_at from project_terms where project_id = ${id}`;
  await assert.rejects(forged, /project_terms_hashed/);
});
