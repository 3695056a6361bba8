import { lookup } from 'node:dns/promises';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { createNetworkCheck, isLoopback } from './addresses.ts';
import { CannotRun } from './cannot-run.ts';
import type { TierRule } from './agents/types.ts';
import {
  facilitatorAuthOf,
  legalOf,
  limitsOf,
  oidcOf,
  oidcProblems,
  readSecretFiles,
  type Setting,
  settings,
  siteSettingsOf,
  siteProblems,
  type PlainHost,
  transportProblems,
  undecidedHosts,
} from './settings/public.ts';

type Values = { [Key in keyof typeof settings]: z.output<(typeof settings)[Key]['schema']> };

export type S3Config = {
  endpoint: string;
  /** The address in presigned URLs. */
  publicEndpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export type Config = ReturnType<typeof readConfig>;

/** The work of a process: `api` answers requests, `worker` runs the jobs and sends webhooks, `all` does both. */
export type Role = 'all' | 'api' | 'worker';
export const ROLES: readonly string[] = ['all', 'api', 'worker'] satisfies Role[];

export type Mode = 'production' | 'development';

type Env = Record<string, string | undefined>;

/** Lists every problem of the settings; each line names its key. */
export class ConfigError extends CannotRun {
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
 * @param mode decides between production and development in place of NODE_ENV, which must not say otherwise
 * @throws ConfigError that lists every missing, malformed, or (in production) doubtful setting
 */
export function readConfig(given: Env = process.env, args: string[] = [], mode?: Mode) {
  const { env, problems: fileProblems } = readSecretFiles(given, settings);
  const { values, problems } = parse(inMode(env, mode));
  problems.push(...fileProblems);
  const role = roleOf(args);
  if (role === null) problems.push(`unknown argument: ${args.join(' ')}; --role=${ROLES.join(' or --role=')}`);
  const development = values.NODE_ENV !== 'production';
  const host = values.HOST ?? (development ? '127.0.0.1' : '0.0.0.0');
  problems.push(...combinationProblems(env), ...siteProblems(values), ...oidcProblems(values));
  problems.push(...(development ? developmentProblems(host) : productionProblems(values, env, role)));
  if (problems.length > 0) throw new ConfigError(problems);
  return configOf(values, { role: role ?? 'all', development, host });
}

/** Looks up the hosts without TLS that only their addresses can make trusted. @throws ConfigError */
export async function requireTrustedHosts({ undecidedHosts: hosts, trustedNetworks }: Config): Promise<void> {
  const isTrusted = createNetworkCheck(trustedNetworks);
  const problems = hosts.map(async ({ host, problem }: PlainHost) => {
    const found = await lookup(host, { all: true }).catch(() => []);
    return found.length > 0 && found.every(({ address }) => isTrusted(address)) ? [] : [problem];
  });
  const found = (await Promise.all(problems)).flat();
  if (found.length > 0) throw new ConfigError(found);
}

/** Sets NODE_ENV to the mode of a command. @throws ConfigError when it says otherwise */
function inMode(env: Env, mode: Mode | undefined): Env {
  const { NODE_ENV: given = '' } = env;
  if (mode === undefined) return env;
  if (given !== '' && (given === 'production') !== (mode === 'production'))
    throw new ConfigError([`NODE_ENV: ${given}, but this command is a ${mode} start`]);
  return { ...env, NODE_ENV: given || mode };
}

/** Reads DATABASE_URL, for a command that needs no other setting. @throws ConfigError if it is malformed */
export function readDatabaseUrl({ DATABASE_URL, DATABASE_URL_FILE }: Env = process.env): string | undefined {
  const { env, problems: fileProblems } = readSecretFiles({ DATABASE_URL, DATABASE_URL_FILE }, settings);
  const { values, problems } = parse(env);
  problems.push(...fileProblems);
  if (problems.length > 0) throw new ConfigError(problems);
  return values.DATABASE_URL;
}

type Start = { role: Role; development: boolean; host: string };

function configOf(values: Values, { role, development, host }: Start) {
  return {
    role,
    development,
    host,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    databasePool: values.DATABASE_POOL,
    databasePrepare: values.DATABASE_PREPARE === 'true',
    databasePooler: values.DATABASE_POOLER === 'true',
    s3: s3Of(values),
    network: values.NETWORK,
    rpcUrl: values.RPC_URL,
    facilitatorUrl: values.FACILITATOR_URL,
    facilitatorAuth: facilitatorAuthOf(values),
    facilitatorKeys: values.FACILITATOR_KEYS ?? (values.FACILITATOR_KEY ? [values.FACILITATOR_KEY] : []),
    batchSize: values.BATCH_SIZE,
    ...treasuryOf(values, role),
    secretsKey: values.SECRETS_KEY,
    secretsKeysAccepted: values.SECRETS_KEYS_ACCEPTED,
    signingKeysAccepted: values.SIGNING_KEYS_ACCEPTED,
    operatorKey: values.OPERATOR_KEY,
    revenueAddress: values.REVENUE_ADDRESS,
    oidc: oidcOf(values),
    serviceName: values.SERVICE_NAME,
    site: siteSettingsOf(values),
    platformFeePpm: Math.round(Number(values.PLATFORM_FEE_RATE) * 1_000_000),
    minWalletBalance: values.MIN_WALLET_BALANCE,
    payoutCaps: {
      perTransferMicro: Math.round(values.PAYOUT_CAP_USDC * 1_000_000),
      perDayMicro: Math.round(values.PAYOUT_DAILY_CAP_USDC * 1_000_000),
    },
    minTransferMicro: Math.round(values.MIN_TRANSFER_USDC * 1_000_000),
    confirmGraceSeconds: values.CONFIRM_GRACE_SECONDS,
    ...marketRulesOf(values, development),
    legal: legalOf(values),
    ai:
      values.AI_URL && values.AI_MODEL ? { url: values.AI_URL, model: values.AI_MODEL, key: values.AI_KEY } : undefined,
    aiTokensPerDay: values.AI_TOKENS_PER_DAY,
    webhookNetworks: values.WEBHOOK_ALLOWED_NETWORKS,
    /** Undefined: the service sends no email. */
    mail: values.SMTP_URL && values.MAIL_FROM ? { url: values.SMTP_URL, from: values.MAIL_FROM } : undefined,
    operatorEmails: values.OPERATOR_EMAIL ?? [],
    redisUrl: values.REDIS_URL,
    trustedProxies: values.TRUSTED_PROXIES,
    trustedNetworks: values.TRUSTED_NETWORKS,
    undecidedHosts: development ? [] : undecidedHosts(values),
    limits: limitsOf(values),
    metricsToken: values.METRICS_TOKEN,
    tracesUrl: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: values.LOG_LEVEL ?? (development ? ('warn' as const) : ('info' as const)),
  };
}

/** An api process signs no payouts: it drops the key if its environment still has it, and keeps the address. */
function treasuryOf(values: Values, role: Role) {
  const { TREASURY_KEY: key, TREASURY_ADDRESS: treasuryAddress, TREASURY_SIGNER_URL: treasurySignerUrl } = values;
  return {
    treasuryKey: role !== 'api' || treasuryAddress === undefined ? key : undefined,
    treasuryAddress,
    treasurySignerUrl,
    needlessTreasuryKey: role === 'api' && key !== undefined,
  };
}

/** The rules of the market. A development start does not let a newcomer wait. */
function marketRulesOf(values: Values, development: boolean) {
  const orNone = (given: number | undefined, production: number) => given ?? (development ? 0 : production);
  return {
    ...FIXED_RULES,
    tierRule: development ? TIER_RULE_IN_DEVELOPMENT : TIER_RULE,
    walletChangeMs: Math.round(orNone(values.WALLET_CHANGE_HOURS, 72) * 3_600_000),
    confirmations: orNone(values.CONFIRMATIONS, 1),
    earlyAccessSeconds: orNone(values.EARLY_ACCESS_SECONDS, 60),
    minOpenSeconds: orNone(values.MIN_OPEN_SECONDS, 3600),
    closeNoticeMinutes: orNone(values.CLOSE_NOTICE_MINUTES, 15),
    autoPayoutHoldHours: orNone(values.AUTO_PAYOUT_HOLD_HOURS, 24),
  };
}

/** The rules that are the same for every market. The terms of a project name those that bind it. */
const FIXED_RULES = {
  maxOpenDays: 30,
  minEntryFeeMicro: 10_000,
  /** How long a paid fee holds a place without a confirmed entry. */
  placeHoldMinutes: 30,
  /** The largest share of a prize that nobody judged, as a multiple of the entry fee. */
  silenceShareCap: 3,
  /** How long an award waits for a wallet of its agent. */
  claimDays: 14,
  /** A poster pays this from the third canceled project of a day on, for the gas of both transfers. */
  cancelFeeMicro: 100_000,
};

const TIER_RULE: TierRule = { minPosters: 3, minRivals: 1, minPrizeMicro: 10_000_000 };
const TIER_RULE_IN_DEVELOPMENT: TierRule = { minPosters: 1, minRivals: 0, minPrizeMicro: 0 };

/** Returns null for unknown arguments. */
function roleOf([argument = '--role=all', ...rest]: string[]): Role | null {
  const role = argument.startsWith('--role=') ? argument.slice('--role='.length) : '';
  return ROLES.includes(role) && rest.length === 0 ? (role as Role) : null;
}

function parse(env: Env): { values: Values; problems: string[] } {
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

function productionProblems(values: Values, env: Env, role: Role | null): string[] {
  return [
    ...missingProblems(env, role),
    ...facilitatorProblems(values),
    ...transportProblems(values),
    ...weakKeyProblems(values),
  ];
}

function missingProblems(env: Env, role: Role | null): string[] {
  // An api process needs the treasury's address or its key. A process with a remote signer needs the address.
  const isUnsigned = role === 'api' || Boolean(env['TREASURY_SIGNER_URL']);
  const name = (key: string) => (key === 'TREASURY_KEY' && isUnsigned ? 'TREASURY_ADDRESS' : key);
  return Object.entries(settings)
    .filter(([key, setting]) => 'production' in setting && !env[key] && !env[name(key)])
    .map(([key]) => `${name(key)}: required in production`);
}

function facilitatorProblems(values: Values): string[] {
  const { FACILITATOR_URL: url, FACILITATOR_KEY: key, FACILITATOR_KEYS: keys, TREASURY_KEY: treasury } = values;
  const problems: string[] = [];
  const name = keys ? 'FACILITATOR_KEYS' : 'FACILITATOR_KEY';
  const all = keys ?? (key ? [key] : []);
  if (!url && all.length === 0)
    problems.push('FACILITATOR_URL: required in production (or FACILITATOR_KEY, or FACILITATOR_KEYS)');
  if (url && all.length > 0) problems.push(`${name}: doubtful beside FACILITATOR_URL; set one of them`);
  if (all.some((each) => each.toLowerCase() === treasury?.toLowerCase()))
    problems.push(`${name}: doubtful, the same key as TREASURY_KEY; the key that holds USDC must hold no gas`);
  return problems;
}

/** An incomplete set is a mistake, not a choice. Of two settings for one thing, one would be ignored. */
function combinationProblems(env: Env): string[] {
  const given = Object.entries<Setting>(settings).filter(([key]) => env[key]);
  return given.flatMap(([key, { needs = [], insteadOf = '' }]) => [
    ...needs.filter((other) => !env[other]).map((other) => `${other}: missing beside ${key}`),
    ...(env[insteadOf] ? [`${key}: set beside ${insteadOf}; set one of them`] : []),
  ]);
}

/** A key that somebody typed instead of drawing it at random. */
function weakKeyProblems({ OPERATOR_KEY: operatorKey, SECRETS_KEY: secretsKey }: Values): string[] {
  const variety = (key: string | undefined) => (key ? new Set(key).size : Infinity);
  return [
    ...(variety(operatorKey) < 10 ? ['OPERATOR_KEY: doubtful, too few different characters'] : []),
    ...(variety(secretsKey) < 6 ? ['SECRETS_KEY: doubtful, too few different digits'] : []),
  ];
}

function s3Of(values: Values): S3Config | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION } = values;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined;
  return {
    endpoint: S3_ENDPOINT,
    publicEndpoint: values.S3_PUBLIC_ENDPOINT ?? S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}
