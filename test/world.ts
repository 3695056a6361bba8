import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { readConfig } from '../server/config.ts';
import { testDatabase } from '../server/db/test-database.ts';
import { type RunningChain, startChain } from '../server/devnet/chain.ts';
import { freePort } from '../server/devnet/child-process.ts';
import { listen } from '../server/http/server.ts';
import { createService, type Service, type World } from '../server/service.ts';
import { assemble } from './assemble.ts';

export type TestWorld = {
  /** `http://127.0.0.1:<port>`; the API is below `/api/v1`. */
  url: string;
  operatorKey: string;
  databaseUrl: string;
  chain: RunningChain;
  service: Service;
  /** The clock of the service; move it to let time pass. */
  clock: { now(): Date; offsetMs: number };
  /** Every line that the service logged at `error`. */
  errors: Record<string, unknown>[];
};

export type WorldOptions = {
  /** Settings, as the environment names them. */
  env?: Record<string, string>;
  /** Puts a fault between the service and one of its parts. */
  wrap?: (world: World) => Partial<World>;
};

/** The whole service in this process on real parts: PostgreSQL, a chain, disk storage, HTTP on a free port. Ends with the test file. */
export async function startWorld({ env = {}, wrap }: WorldOptions = {}): Promise<TestWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-world-'));
  const facilitatorKey = generatePrivateKey();
  const errors: Record<string, unknown>[] = [];
  const log = pino({ level: 'error', base: null }, { write: (line: string) => void errors.push(JSON.parse(line) as Record<string, unknown>) });
  const config = readConfig({ NODE_ENV: 'test', ...env });
  const [{ db, url: databaseUrl }, chain, port] = await Promise.all([
    testDatabase(),
    startChain({ dataDir: folder, facilitatorAddress: privateKeyToAddress(facilitatorKey), log }),
    freePort(),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) };
  const { world, storage, close } = await assemble({
    config,
    db,
    clock,
    log,
    folder,
    url,
    rpcUrl: chain.rpcUrl,
    facilitatorKey,
    treasuryKey: generatePrivateKey(),
    uploadSigningKey: randomBytes(32),
    mintUsdc: chain.mintUsdc,
  });
  const operatorKey = `ck_operator_${randomBytes(32).toString('base64url')}`;
  const service = createService({ ...world, ...wrap?.(world) }, { operatorKey, handleUpload: storage.handleUpload });
  const listener = await listen(service.app, { host: '127.0.0.1', port });
  const jobs = service.startJobs();
  after(async () => {
    await listener.close(0);
    await jobs.stop();
    service.app.stop();
    await close();
    await chain.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return { url, operatorKey, databaseUrl, chain, service, clock, errors };
}
