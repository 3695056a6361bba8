import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { freePort } from '../server/devnet/child-process.ts';
import { MAIN, startScript, untilReady } from '../test/support/processes/processes.ts';
import { timed, type Tools } from './measure.ts';
import { type Row, rowOfTimes } from './report.ts';

/** Measures how soon a service is ready: with a new folder as `npm start` has it, and in production on the large database. */
export async function measureStarts({ world, rounds }: Tools): Promise<Row[]> {
  // The bucket only has to exist.
  const bucket = createServer((_, response) => response.writeHead(200).end()).listen(0, '127.0.0.1');
  await once(bucket, 'listening');
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://market.example',
    DATABASE_URL: world.databaseUrl,
    S3_ENDPOINT: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
    S3_BUCKET: 'entries',
    S3_ACCESS_KEY_ID: 'AKTEST',
    S3_SECRET_ACCESS_KEY: 'SKTEST1234567890',
    NETWORK: 'eip155:84532',
    RPC_URL: world.chain.rpcUrl,
    TREASURY_KEY: world.treasuryKey,
    FACILITATOR_KEY: generatePrivateKey(),
    SECRETS_KEY: randomBytes(32).toString('hex'),
    OPERATOR_KEY: randomBytes(32).toString('base64url'),
  };
  const [large, fresh]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    large.push(await startOnce(production));
    const folder = await mkdtemp(join(tmpdir(), 'concours-start-'));
    fresh.push(await startOnce({ DATA_DIR: folder }));
    await rm(folder, { recursive: true, force: true });
  }
  bucket.close();
  return [
    rowOfTimes(`start in production on ${world.projects.toLocaleString('en')} projects`, large, 3_000),
    rowOfTimes('`npm start` with a new folder, the console built', fresh, 5_000),
  ];
}

async function startOnce(env: Record<string, string>): Promise<number> {
  const port = await freePort();
  const running = startScript(MAIN, [], { env: { ...env, HOST: '127.0.0.1', PORT: String(port) } });
  try {
    return await timed(() => untilReady(running, `http://127.0.0.1:${port}`));
  } finally {
    await running.kill('SIGTERM');
  }
}
