import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { isLoopback } from './addresses.ts';
import { settings } from './settings.ts';

type Values = { [Key in keyof typeof settings]: z.output<(typeof settings)[Key]['schema']> };

export type S3Config = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export type Config = ReturnType<typeof readConfig>;

/** The work of a process: `api` answers requests, `worker` runs the jobs and sends webhooks, `all` does both. */
export type Role = 'all' | 'api' | 'worker';
const ROLES: readonly string[] = ['all', 'api', 'worker'] satisfies Role[];

/** Lists every problem of the settings; each line names its key. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The settings do not allow a start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the settings and the arguments; no other file reads the environment. A setting that a development start leaves
 * out is `undefined` here, and `main.ts` starts the embedded part for it.
 *
 * @throws ConfigError that lists every missing, malformed, or (in production) doubtful setting
 */
export function readConfig(env: Record<string, string | undefined> = process.env, args: string[] = []) {
  const { values, problems } = parse(env);
  const role = roleOf(args);
  if (role === null) problems.push(`unknown argument: ${args.join(' ')}; --role=${ROLES.join(' or --role=')}`);
  const development = values.NODE_ENV !== 'production';
  const host = values.HOST ?? (development ? '127.0.0.1' : '0.0.0.0');
  problems.push(...aiProblems(values));
  problems.push(...(development ? developmentProblems(host) : productionProblems(values, env)));
  if (problems.length > 0) throw new ConfigError(problems);
  return configOf(values, { role: role ?? 'all', development, host });
}

type Mode = { role: Role; development: boolean; host: string };

function configOf(values: Values, { role, development, host }: Mode) {
  return {
    role,
    development,
    checkAnswers: (values.CHECK_ANSWERS ?? (development ? 'on' : 'off')) === 'on',
    host,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    databaseViewPool: values.DATABASE_VIEW_POOL,
    s3: s3Of(values),
    network: values.NETWORK,
    rpcUrl: values.RPC_URL,
    facilitatorUrl: values.FACILITATOR_URL,
    facilitatorKey: values.FACILITATOR_KEY,
    treasuryKey: values.TREASURY_KEY,
    secretsKey: values.SECRETS_KEY,
    operatorKey: values.OPERATOR_KEY,
    serviceName: values.SERVICE_NAME,
    platformFeePpm: Math.round(Number(values.PLATFORM_FEE_RATE) * 1_000_000),
    minWalletBalance: values.MIN_WALLET_BALANCE,
    payoutCaps: {
      perTransferMicro: Math.round(values.PAYOUT_CAP_USDC * 1_000_000),
      perDayMicro: Math.round(values.PAYOUT_DAILY_CAP_USDC * 1_000_000),
    },
    earlyAccessSeconds: values.EARLY_ACCESS_SECONDS ?? (development ? 0 : 60),
    minOpenSeconds: values.MIN_OPEN_SECONDS ?? (development ? 0 : 3600),
    confirmGraceSeconds: values.CONFIRM_GRACE_SECONDS,
    intentIdleHours: values.INTENT_IDLE_HOURS,
    ai: aiOf(values),
    aiTokensPerProject: values.AI_TOKENS_PER_PROJECT,
    webhooks: { pool: values.WEBHOOK_POOL, retentionDays: values.WEBHOOK_RETENTION_DAYS },
    redisUrl: values.REDIS_URL,
    trustedProxies: values.TRUSTED_PROXIES,
    limits: {
      agentOperationsPerHour: values.LIMIT_AGENT_OPERATIONS_PER_HOUR,
      agentReadsPerMinute: values.LIMIT_AGENT_READS_PER_MINUTE,
      agentAccountPerMinute: values.LIMIT_AGENT_ACCOUNT_PER_MINUTE,
      webhookTestsPerHour: values.LIMIT_WEBHOOK_TESTS_PER_HOUR,
      paymentsPerHour: values.LIMIT_PAYMENTS_PER_HOUR,
      failedPaymentsPerHour: values.LIMIT_FAILED_PAYMENTS_PER_HOUR,
      registrationsPerHour: values.LIMIT_REGISTRATIONS_PER_HOUR,
      posterPerMinute: values.LIMIT_POSTER_PER_MINUTE,
      publicReadsPerMinute: values.LIMIT_PUBLIC_READS_PER_MINUTE,
      signInsPerHour: values.LIMIT_SIGN_INS_PER_HOUR,
      failedKeysPerMinute: values.LIMIT_FAILED_KEYS_PER_MINUTE,
    },
    logLevel: values.LOG_LEVEL ?? (development ? ('warn' as const) : ('info' as const)),
  };
}

/** Returns null for unknown arguments. */
function roleOf([argument = '--role=all', ...rest]: string[]): Role | null {
  const role = argument.startsWith('--role=') ? argument.slice('--role='.length) : '';
  return ROLES.includes(role) && rest.length === 0 ? (role as Role) : null;
}

function parse(env: Record<string, string | undefined>): { values: Values; problems: string[] } {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settings)) {
    // Shells and compose files write an empty variable for "not set".
    const given = env[key] === '' ? undefined : env[key];
    const parsed = (setting.schema as z.ZodType).safeParse(given);
    if (parsed.success) values[key] = parsed.data;
    else problems.push(`${key}: ${parsed.error.issues.map((issue) => issue.message).join(', ')}`);
  }
  return { values: values as Values, problems };
}

function developmentProblems(host: string): string[] {
  return isLoopback(host) || host === 'localhost'
    ? []
    : [
        `HOST: a development start (faucet, test keys) listens on loopback only, not on ${host}; set NODE_ENV=production to serve others`,
      ];
}

function productionProblems(values: Values, env: Record<string, string | undefined>): string[] {
  return [
    ...missingProblems(env),
    ...facilitatorProblems(values),
    ...transportProblems(values),
    ...weakKeyProblems(values),
  ];
}

function missingProblems(env: Record<string, string | undefined>): string[] {
  return Object.entries(settings)
    .filter(([key, setting]) => 'production' in setting && !env[key])
    .map(([key]) => `${key}: required in production`);
}

function facilitatorProblems({ FACILITATOR_URL: url, FACILITATOR_KEY: key, TREASURY_KEY: treasury }: Values): string[] {
  const problems: string[] = [];
  if (!url && !key) problems.push('FACILITATOR_URL: required in production (or FACILITATOR_KEY)');
  if (url && key) problems.push('FACILITATOR_KEY: doubtful beside FACILITATOR_URL; set one of them');
  if (key && key === treasury)
    problems.push('FACILITATOR_KEY: doubtful, the same key as TREASURY_KEY; the key that holds USDC must hold no gas');
  return problems;
}

function transportProblems(values: Values): string[] {
  const problems: string[] = [];
  if (values.PUBLIC_URL && !values.PUBLIC_URL.startsWith('https://')) problems.push('PUBLIC_URL: doubtful, not https');
  for (const key of ['S3_ENDPOINT', 'RPC_URL', 'FACILITATOR_URL', 'AI_URL'] as const) {
    if (values[key] && !isPrivateTransport(values[key]))
      problems.push(`${key}: doubtful, http to another machine; use https`);
  }
  return problems;
}

function weakKeyProblems({ OPERATOR_KEY: operatorKey, SECRETS_KEY: secretsKey }: Values): string[] {
  const problems: string[] = [];
  if (operatorKey && new Set(operatorKey).size < 10)
    problems.push('OPERATOR_KEY: doubtful, too few different characters');
  if (secretsKey && new Set(secretsKey).size < 6) problems.push('SECRETS_KEY: doubtful, too few different digits');
  return problems;
}

/** An incomplete set of AI settings is a mistake, not a choice. */
function aiProblems({ AI_URL: url, AI_MODEL: model, AI_KEY: key }: Values): string[] {
  if (!url) return model || key ? [`AI_URL: missing beside ${model ? 'AI_MODEL' : 'AI_KEY'}`] : [];
  const problems = model ? [] : ['AI_MODEL: missing beside AI_URL'];
  const { username, password, search, hash } = new URL(url);
  if (username || password) problems.push('AI_URL: holds a user or a password; put the key into AI_KEY');
  if (search || hash) problems.push('AI_URL: must end with its path, without ? and #');
  return problems;
}

function isPrivateTransport(value: string): boolean {
  const url = new URL(value);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return url.protocol === 'https:' || host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));
}

function aiOf({ AI_URL: url, AI_MODEL: model, AI_KEY: key }: Values) {
  return url && model ? { url, model, key } : undefined;
}

function s3Of(values: Values): S3Config | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION } = values;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined;
  return {
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}
