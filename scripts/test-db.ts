// npm run test:db: a database server for tests that stays running, so that a test file starts none of its own.
// Tests find it through STANDING_SERVER_FILE. They ignore that file when the server does not accept connections.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { STANDING_SERVER_FILE, standingServer, testServer } from '../test/support/test-database.ts';

const running = await standingServer();
if (running) console.log(`A database server for tests is already running: ${running}`);
else await serve();

async function serve(): Promise<void> {
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  const server = await testServer();
  await mkdir(dirname(STANDING_SERVER_FILE), { recursive: true });
  await writeFile(STANDING_SERVER_FILE, server.url, { mode: 0o600 });
  console.log(`Tests now use ${server.url}\nCtrl-C stops the server and deletes its data.`);
  // A signal handler alone does not keep the process alive.
  const keepAlive = setInterval(() => {}, 60_000);
  await stopped;
  clearInterval(keepAlive);
  await rm(STANDING_SERVER_FILE, { force: true });
  await server.stop();
}
