import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { postgres } from '../db/public.ts';
import { startJobs } from './timers.ts';

test('a shutdown signals a running job and waits for it', async () => {
  const started = Promise.withResolvers<void>();
  let ended = false;
  const run = async (stopping: AbortSignal) => {
    started.resolve();
    await new Promise((resolve) => stopping.addEventListener('abort', resolve));
    ended = true;
  };
  const jobs = startJobs([{ name: 'long', everyMs: 1, run }], pino({ level: 'silent' }));
  await started.promise;
  await jobs.stop();
  assert.equal(ended, true);
});

test('a job that fails is run again', async () => {
  const twice = Promise.withResolvers<void>();
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 2) twice.resolve();
    throw new Error('failed');
  };
  const jobs = startJobs([{ name: 'failing', everyMs: 1, run }], pino({ level: 'silent' }));
  await twice.promise;
  await jobs.stop();
});

test('a job that meets a full disk of the database raises an alert', async () => {
  const logged = Promise.withResolvers<string>();
  const log = pino({ level: 'error' }, { write: (line: string) => logged.resolve(line) });
  const full = Object.create(postgres.PostgresError.prototype, { code: { value: '53100' } }) as Error;
  const jobs = startJobs([{ name: 'writing', everyMs: 1, run: () => Promise.reject(full) }], log);
  assert.match(await logged.promise, /"job":"writing","alert":"database_full"/);
  await jobs.stop();
});

test('a job that hangs is abandoned and started again, and a shutdown does not wait for it', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const again = Promise.withResolvers<void>();
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 2) again.resolve();
    await new Promise(() => {});
  };
  const jobs = startJobs([{ name: 'hanging', everyMs: 1, run }], log, { stuckMs: 5, stopMs: 5 });
  await again.promise;
  await jobs.stop();
  assert.match(lines[0] ?? '', /"job":"hanging","alert":"job_stuck"/);
});
