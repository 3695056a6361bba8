import { randomBytes } from 'node:crypto';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { freePort } from '../../server/devnet/child-process.ts';
import { MAIN, type RunningProcess, startScript, untilReady } from '../support/processes/processes.ts';
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

const UNLIMITED = '1000000';

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
    LIMIT_AGENT_OPERATIONS_PER_HOUR: UNLIMITED,
    LIMIT_AGENT_PER_MINUTE: UNLIMITED,
    LIMIT_PAYMENTS_PER_HOUR: UNLIMITED,
    LIMIT_REGISTRATIONS_PER_HOUR: UNLIMITED,
    LIMIT_POSTER_PER_MINUTE: UNLIMITED,
    LIMIT_PUBLIC_READS_PER_MINUTE: UNLIMITED,
  };
  return {
    treasury: privateKeyToAddress(treasuryKey).toLowerCase(),
    operatorKey: shared.OPERATOR_KEY,
    of: (role: Role) => ({ ...shared, ...(role === 'worker' ? { TREASURY_KEY: treasuryKey } : {}) }),
  };
}

/** One process of the service. It keeps its port when it is started again. */
export class ServicePart implements Part {
  readonly url: string;
  readonly #role: Role;
  readonly #env: Record<string, string>;
  #running: RunningProcess | null = null;
  readonly #ended: RunningProcess[] = [];

  constructor(role: Role, env: Record<string, string>, port: number) {
    this.#role = role;
    this.#env = { ...env, PORT: String(port) };
    this.url = `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    this.#running = startScript(MAIN, [`--role=${this.#role}`], { env: this.#env, ownSession: true });
  }

  async untilReady(): Promise<void> {
    if (this.#running) await untilReady(this.#running, this.url);
  }

  async kill(): Promise<void> {
    if (!this.#running) return;
    this.#ended.push(this.#running);
    await this.#running.kill('SIGKILL');
    this.#running = null;
  }

  /** Returns all log lines, also of the processes before this one. */
  output(): string {
    return [...this.#ended, ...(this.#running ? [this.#running] : [])].map((one) => one.output()).join('\n');
  }
}

export async function createProcess(role: Role, env: Record<string, string>): Promise<ServicePart> {
  return new ServicePart(role, env, await freePort());
}

/** Applies all migrations, as an operator does before the first start. */
export async function migrate(env: Record<string, string>): Promise<void> {
  const running = startScript('server/command/concours-server.mjs', ['migrate'], { env });
  const code = await running.ended;
  if (code !== 0) throw new Error(`migrate ended with ${code}:\n${running.output()}`);
}
