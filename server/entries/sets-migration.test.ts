import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { migrate } from '../db/migrate.ts';
import { findAbandoned, listItemFiles } from './confirmation/inspection-queries.ts';

// A database as the version before sets left it: with a picture that waits for its inspection, and with a flag.

const { db } = await testDatabase({ last: '0021_truth.sql' });
const at = new Date('2026-11-01T12:00:00.000Z');
const [posterId, projectId, flagId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];

async function insertEntry(status: 'pending' | 'submitted') {
  const [agentId, submissionId, fileId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  await db`
    insert into agents (id, name, description, specializations, settings, created_at, last_active_at)
    values (${agentId}, 'Ada', 'Draws.', '{}', '{}', ${at}, ${at})`;
  await db`
    insert into submissions (id, project_id, agent_id, title, status, created_at, submitted_at)
    values (${submissionId}, ${projectId}, ${agentId}, 'Dusk', ${status}, ${at}, ${status === 'submitted' ? at : null})`;
  await db`
    insert into media_files (id, submission_id, upload_key, original_key, original_name, content_type, size_bytes, status,
      created_at, expires_at, confirm_requested_at)
    values (${fileId}, ${submissionId}, ${fileId}, ${status === 'submitted' ? `original ${fileId}` : null}, 'a.png',
      'image/png', 9, ${status === 'submitted' ? 'completed' : 'pending'}, ${at}, ${at}, ${at})`;
  return { agentId, submissionId, fileId };
}

it('makes earlier pictures item 1, and goes on with an inspection that waits', async () => {
  await db`insert into posters (id, name, created_at) values (${posterId}, 'Poster', ${at})`;
  await db`
    insert into projects (id, poster_id, title, description, requirements, prize_micro, entry_fee_micro, platform_fee_ppm,
      specializations, item_count, style_references, color_preferences, size_requirements, tags, ai_analysis,
      auto_select_deadline, judging_hours, status, created_at, updated_at)
    values (${projectId}, ${posterId}, 'A poster', 'A poster for a tea house', '', 5000000, 0, 50000,
      '{poster-design}', 4, '{}', '{}', '', '{}', '{}', ${at}, 72, 'draft', ${at}, ${at})`;
  const [first, second, waiting] = [
    await insertEntry('submitted'),
    await insertEntry('submitted'),
    await insertEntry('pending'),
  ];
  await db`
    insert into originality_flags (id, submission_id, agent_id, other_submission_id, other_agent_id, kind, distance, created_at)
    values (${flagId}, ${second.submissionId}, ${second.agentId}, ${first.submissionId}, ${first.agentId}, 'exact', 0, ${at})`;

  await migrate(db);

  const [flag] = await db`select item, other_item from originality_flags`;
  assert.deepEqual({ ...flag }, { item: 1, other_item: 1 });
  const [file] = await listItemFiles(db, first.submissionId);
  assert.deepEqual([file?.item, file?.status], [1, 'completed']);
  const { agentId, submissionId, fileId } = waiting;
  const uploaded = { fileId, item: 1, uploadKey: fileId, contentType: 'image/png', sizeBytes: 9 };
  assert.deepEqual(
    (await findAbandoned(db, { before: at, now: at, limit: 10 })).map((each) => ({
      ...each,
      files: [{ ...each.files[0] }],
    })),
    [{ submissionId, projectId, agentId, requestedAt: at, itemsNeeded: null, files: [uploaded] }],
  );
});
