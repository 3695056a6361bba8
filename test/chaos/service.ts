import { randomBytes } from 'node:crypto';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { freePort } from '../../server/devnet/child-process.ts';
import { MAIN, type RunningProcess, startScript, untilReady } from '../support/processes/processes.ts';
import { NO_LIMITS } from '../support/worlds/shared-service.ts';
import type { Part } from './program.ts';

export type Role = 'api' | 'worker';

/** The addresses of the parts around the service. */
export type Surroundings = {
  databaseUrl: string;
  redisUrl: string;
  rpcUrl: string;
  s3Endpoint: string;
  facilitatorKey: string;
  /** Whether PgBouncer is before the database, and forgets prepared statements. */
  pooler: { prepares: boolean } | null;
};

/** The settings of a production start without limits, because all load comes from one address and few agents. */
export function createSettings(given: Surroundings) {
  const treasuryKey = generatePrivateKey();
  const shared = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://market.example',
    DATABASE_URL: given.databaseUrl,
    ...(given.pooler ? { DATABASE_POOLER: 'true', DATABASE_PREPARE: String(given.pooler.prepares) } : {}),
    REDIS_URL: given.redisUrl,
    RPC_URL: given.rpcUrl,
    NETWORK: 'eip155:84532',
    S3_ENDPOINT: given.s3Endpoint,
    S3_BUCKET: 'concours-test',
    S3_ACCESS_KEY_ID: 'AKTEST',
    S3_SECRET_ACCESS_KEY: 'SKTEST1234567890',
    FACILITATOR_KEY: given.facilitatorKey,
    TREASURY_ADDRESS: privateKeyToAddress(treasuryKey),
    SECRETS_KEY: randomBytes(32).toString('hex'),
    OPERATOR_KEY: randomBytes(32).toString('base64url'),
    EARLY_ACCESS_SECONDS: '0',
    MIN_OPEN_SECONDS: '0',
    CLOSE_NOTICE_MINUTES: '0',
    LOG_LEVEL: 'error',
    ...NO_LIMITS,
  };
  return {
    treasury: privateKeyToAddress(treasuryKey).toLowerCase(),
    operatorKey: shared.OPERATOR_KEY,
    of: (role: Role) => ({ ...shared, ...(role === 'worker' ? { TREASURY_KEY: treasuryKey } : {}) }),
  };
}

export type ServicePart = Part & {
  url: string;
  untilReady(): Promise<void>;
  /** Returns all log lines, also of the processes before this one. */
  output(): string;
};

/** One process of the service. It keeps its port when it is started again. */
export async function createProcess(role: Role, env: Record<string, string>): Promise<ServicePart> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started: RunningProcess[] = [];
  return {
    url,
    async start() {
      const settings = { ...env, PORT: String(port) };
      started.push(startScript(MAIN, [`--role=${role}`], { env: settings, ownSession: true }));
    },
    async untilReady() {
      const running = started.at(-1);
      if (running) await untilReady(running, url);
    },
    kill: async () => void (await started.at(-1)?.kill('SIGKILL')),
    output: () => started.map((one) => one.output()).join('\n'),
  };
}

/** Applies all migrations, as an operator does before the first start. */
export async function migrate(env: Record<string, string>): Promise<void> {
  const running = startScript('server/command/concours-server.mjs', ['migrate'], { env });
  const code = await running.ended;
  if (code !== 0) throw new Error(`migrate ended with ${code}:\n${running.output()}`);
}
