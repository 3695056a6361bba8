// What all test files of a run share: a database server, and one service for the HTTP tests. Node's test runner calls
// these functions before and after all files (`--test-global-setup`). The files get the addresses by the environment.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { standingServer, testServer } from './test-database.ts';
import { SHARED_SERVICE } from './worlds/shared-service.ts';

const SERVICE = join(import.meta.dirname, 'worlds', 'shared-service-process.ts');

let database: Awaited<ReturnType<typeof testServer>> | null = null;
let service: ChildProcess | null = null;

export async function globalSetup(): Promise<void> {
  const given = process.env['TEST_DATABASE_URL'] ?? (await standingServer());
  if (given === null) database = await testServer();
  process.env['TEST_DATABASE_URL'] = given ?? database?.url;
  // Not with the options of this process, which would run the tests once more.
  service = fork(SERVICE, { execArgv: [] });
  const [first] = (await Promise.race([
    once(service, 'message'),
    once(service, 'exit').then(() => Promise.reject(new Error('The shared service did not start.'))),
  ])) as [unknown];
  process.env[SHARED_SERVICE] = JSON.stringify(first);
}

export async function globalTeardown(): Promise<void> {
  if (service?.connected) {
    const exited = once(service, 'exit');
    service.send('end');
    const [status] = (await exited) as [number | null];
    if (status !== 0) process.exitCode = 1;
  } else if (service) {
    console.error('The shared service ended before the tests.');
    process.exitCode = 1;
  }
  await database?.stop();
}
