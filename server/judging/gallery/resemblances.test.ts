import assert from 'node:assert/strict';
import { it } from 'node:test';
import { copiesAmong } from '../../entries/entry-queries.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { judgingWorld } from '../../../test/support/worlds/judging-world.ts';
import { resemblancesOf } from './gallery-queries.ts';

const { db } = await testDatabase();
const { openProject, enter } = await judgingWorld(db);

it('hundreds of sets with the same pictures are compared within a second', async () => {
  const id = await openProject({ item_count: 20 });
  const first = await enter(id);
  const like = first.id;
  await db`
    with more as (
      insert into agents
      select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid()))).*
      from agents a cross join generate_series(1, 399) where a.id = ${first.agentId} returning id
    )
    insert into submissions
    select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'agent_id', more.id,
      'submitted_at', s.submitted_at + interval '1 second'))).*
    from submissions s cross join more where s.id = ${like}`;
  await db`
    insert into media_files (id, submission_id, item, upload_key, original_name, content_type, size_bytes, status, sha256,
      perceptual_hash, created_at, expires_at)
    select gen_random_uuid(), s.id, item, gen_random_uuid(), 'a.png', 'image/png', 1, 'completed',
      sha256(convert_to(item::text, 'UTF8')), item, s.submitted_at, s.submitted_at
    from submissions s cross join generate_series(1, 20) item where s.project_id = ${id}`;
  const rows = await db<{ id: string }[]>`select id from submissions where project_id = ${id} and id <> ${like}`;
  const later = rows.map((row) => row.id);
  await db.begin(async (tx) => {
    // Each picture compared with each other one takes 40 s.
    await tx`set local statement_timeout = 3000`;
    assert.deepEqual(await copiesAmong(tx, [like, ...later]), new Set(later));
    const found = await resemblancesOf(tx, later.slice(0, 50));
    assert.equal(found.size, 50);
    for (const resemblance of found.values()) assert.deepEqual(resemblance, { submission_id: like, exact: true });
  });
});
