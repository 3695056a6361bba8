import assert from 'node:assert/strict';
import { it } from 'node:test';
import pino from 'pino';
import { testDatabase } from '../../../test/support/test-database.ts';
import { asDomainError } from './errors.ts';

const { db } = await testDatabase();

it('a full disk of the database is told apart: an alert, and a later retry', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const error: unknown = await db`
    do $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.then(
    () => assert.fail('no error'),
    (raised: unknown) => raised,
  );
  const { code, status, message, retryAfterSeconds } = asDomainError(error, log, 'a request');
  assert.deepEqual([code, status, retryAfterSeconds], ['DATABASE_ERROR', 503, 30]);
  assert.match(message, /no space left/);
  assert.match(lines.join(''), /"alert":"database_full"/);
});
