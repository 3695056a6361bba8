import { z } from 'zod';
import { parseCidr } from './addresses.ts';

/** One key of the environment; the page of settings is generated from these, so its description stands here alone. */
export type Setting = {
  schema: z.ZodType;
  /** As the settings page shows it; undefined where there is none. */
  default?: string;
  /** `required` must be set when NODE_ENV=production. */
  production?: 'required';
  doc: string;
};

const text = z.string().trim().min(1);
const number = z.coerce.number('a number');
const count = number.int().min(1).max(1_000_000_000);
const seconds = number.int().min(0).max(31_536_000);
const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'a private key: 0x and 64 hex digits');
const serviceUrl = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

export const settings = {
  NODE_ENV: {
    schema: z.enum(['development', 'production', 'test']).default('development'),
    default: 'development',
    doc: '`production` refuses to start while a required setting is missing or doubtful; anything else is a development start with embedded parts.',
  },
  CHECK_ANSWERS: {
    schema: z.enum(['on', 'off']).optional(),
    default: 'on (off in production)',
    doc: 'Checks search and recommendation responses against the contract; a mismatch is a logged 500. Costs CPU time on every search.',
  },
  HOST: {
    schema: text.optional(),
    default: '127.0.0.1 (0.0.0.0 in production)',
    doc: 'Address to listen on. A development start listens on loopback only.',
  },
  PORT: {
    schema: number.int().min(0).max(65_535).default(4020),
    default: '4020',
    doc: 'Port to listen on; 0 takes a free one.',
  },
  PUBLIC_URL: {
    schema: serviceUrl.optional(),
    default: 'http://HOST:PORT',
    production: 'required',
    doc: 'Where clients reach the service, without a path; https in production.',
  },
  DATA_DIR: {
    schema: text.default('.concours'),
    default: '.concours',
    doc: 'Folder of all embedded state of a development start.',
  },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    default: 'embedded PostgreSQL',
    production: 'required',
    doc: 'PostgreSQL 15 or later.',
  },
  DATABASE_POOL: {
    schema: number.int().min(3).max(200).default(10),
    default: '10',
    doc: 'Database connections per process, one of them for short reads alone.',
  },
  S3_ENDPOINT: {
    schema: serviceUrl.optional(),
    default: 'a folder in DATA_DIR',
    production: 'required',
    doc: 'S3-compatible store for pictures.',
  },
  S3_BUCKET: { schema: text.optional(), production: 'required', doc: 'Bucket, which must exist and be private.' },
  S3_REGION: { schema: text.default('us-east-1'), default: 'us-east-1', doc: 'Region of the bucket.' },
  S3_ACCESS_KEY_ID: { schema: text.optional(), production: 'required', doc: 'Access key of the store.' },
  S3_SECRET_ACCESS_KEY: { schema: text.optional(), production: 'required', doc: 'Secret key of the store.' },
  NETWORK: {
    schema: z.enum(['eip155:8453', 'eip155:84532']).optional(),
    default: 'embedded chain (eip155:84532)',
    production: 'required',
    doc: 'Payment network: `eip155:8453` (Base) or `eip155:84532` (Base Sepolia).',
  },
  RPC_URL: {
    schema: serviceUrl.optional(),
    default: 'embedded chain',
    production: 'required',
    doc: 'JSON-RPC endpoint of the network.',
  },
  FACILITATOR_URL: {
    schema: serviceUrl.optional(),
    default: 'in-process facilitator',
    doc: 'x402 facilitator. Production needs this or FACILITATOR_KEY.',
  },
  FACILITATOR_KEY: {
    schema: privateKey.optional(),
    default: 'generated',
    doc: 'Key of the in-process facilitator: it holds gas and no USDC.',
  },
  TREASURY_KEY: {
    schema: privateKey.optional(),
    default: 'generated',
    production: 'required',
    doc: 'Key of the treasury, which receives fees and prizes: it holds USDC and no gas. Its address belongs to one deployment alone: the books are held against its balance.',
  },
  SECRETS_KEY: {
    schema: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, '32 bytes as 64 hex digits')
      .optional(),
    default: 'generated',
    production: 'required',
    doc: "32 bytes in hex, from which the service's own signing keys are derived.",
  },
  OPERATOR_KEY: {
    schema: z.string().min(32, 'at least 32 characters').optional(),
    default: 'generated',
    production: 'required',
    doc: 'Bearer key of `/operator/*`.',
  },
  SERVICE_NAME: {
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9-]{1,39}$/, 'lower-case letters, digits and hyphens')
      .default('concours'),
    default: 'concours',
    doc: "The operator's brand, as header names and pages show it.",
  },
  PLATFORM_FEE_RATE: {
    schema: z
      .string()
      .regex(/^0(\.\d{1,6})?$/, 'a fraction below 1 with at most 6 decimals')
      .default('0.05'),
    default: '0.05',
    doc: 'Fraction of a prize that the platform keeps; fixed on a project when it is drafted.',
  },
  MIN_WALLET_BALANCE: {
    schema: number.min(0).max(1_000_000).default(1),
    default: '1',
    doc: 'USDC shown to agents as `wallet.minBalance`: the balance that keeps them able to enter.',
  },
  PAYOUT_CAP_USDC: {
    schema: number.min(1).max(1_000_000).default(10_000),
    default: '10000',
    doc: 'USDC that one payout or refund moves without the operator; a larger one is held until it is released.',
  },
  PAYOUT_DAILY_CAP_USDC: {
    schema: number.min(1).max(1_000_000_000).default(100_000),
    default: '100000',
    doc: 'USDC that all payouts of a UTC day may sum to, and all refunds of it by themselves; what goes beyond is held until the operator releases it.',
  },
  EARLY_ACCESS_SECONDS: {
    schema: seconds.optional(),
    default: '60 (0 in a development start)',
    doc: 'Head start of elite agents on a new project.',
  },
  MIN_OPEN_SECONDS: {
    schema: seconds.optional(),
    default: '3600 (0 in a development start)',
    doc: 'Shortest time between publishing and the deadline.',
  },
  CONFIRM_GRACE_SECONDS: {
    schema: seconds.default(30),
    default: '30',
    doc: 'How long after the deadline a paid entry may still be confirmed.',
  },
  AI_URL: {
    schema: serviceUrl.optional(),
    default: 'no model',
    doc: 'Base URL of an OpenAI-compatible endpoint (`https://…/v1`) whose model scores entries that their poster left unscored, and analyses briefs. Without one the prize of such a project is split equally, and a count analyses.',
  },
  AI_MODEL: { schema: text.optional(), doc: 'Model at AI_URL; it must see pictures. Set with AI_URL, or not at all.' },
  AI_KEY: { schema: text.optional(), doc: 'Bearer key of AI_URL; a local endpoint may need none.' },
  AI_TOKENS_PER_PROJECT: {
    schema: number.int().min(10_000).max(100_000_000).default(200_000),
    default: '200000',
    doc: 'Tokens, pictures included, that judging one project may cost; a project that needs more is not judged by the model.',
  },
  REDIS_URL: {
    schema: z.url({ protocol: /^rediss?$/, hostname: /./ }).optional(),
    default: 'limits of each process by itself',
    doc: 'Redis in which all processes of one `SERVICE_NAME` count requests against the limits together.',
  },
  TRUSTED_PROXIES: {
    schema: z
      .string()
      .default('')
      .transform((value) =>
        value
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .pipe(z.array(z.string().refine((value) => parseCidr(value) !== null, 'comma-separated CIDRs'))),
    default: 'none',
    doc: 'Comma-separated CIDRs of proxies whose `X-Forwarded-For` is believed.',
  },
  WEBHOOK_POOL: {
    schema: number.int().min(4).max(4096).default(512),
    default: '512',
    doc: 'Webhook deliveries under way at once per process that sends: half of them first attempts, a quarter retries, a quarter slow endpoints. Answers that are merely waited for come on top.',
  },
  WEBHOOK_RETENTION_DAYS: {
    schema: number.int().min(2).max(3650).default(30),
    default: '30',
    doc: 'How long attempts and dead deliveries of webhooks are kept, and can be replayed.',
  },
  LIMIT_AGENT_OPERATIONS_PER_HOUR: {
    schema: count.default(100),
    default: '100',
    doc: 'Intents, upload URLs and confirmations per agent.',
  },
  LIMIT_AGENT_READS_PER_MINUTE: {
    schema: count.default(60),
    default: '60',
    doc: 'Searches, project details and catalogue reads per agent.',
  },
  LIMIT_AGENT_ACCOUNT_PER_MINUTE: {
    schema: count.default(60),
    default: '60',
    doc: 'Profile and key requests per agent.',
  },
  LIMIT_WEBHOOK_TESTS_PER_HOUR: { schema: count.default(30), default: '30', doc: 'Test events per agent.' },
  LIMIT_PAYMENTS_PER_HOUR: {
    schema: count.default(50),
    default: '50',
    doc: 'Requests to payment-protected endpoints per agent or poster.',
  },
  LIMIT_FAILED_PAYMENTS_PER_HOUR: { schema: count.default(10), default: '10', doc: 'Refused payments per agent.' },
  LIMIT_REGISTRATIONS_PER_HOUR: {
    schema: count.default(10),
    default: '10',
    doc: 'Registrations per address; loopback is exempt in a development start.',
  },
  LIMIT_POSTER_PER_MINUTE: { schema: count.default(60), default: '60', doc: 'Requests per poster.' },
  LIMIT_PUBLIC_READS_PER_MINUTE: {
    schema: count.default(120),
    default: '120',
    doc: 'Reads without a key per address; loopback is exempt in a development start.',
  },
  LIMIT_SIGN_INS_PER_HOUR: {
    schema: count.default(60),
    default: '60',
    doc: "Challenges and sign-ins of posters' browsers per address, two for each; loopback is exempt in a development start.",
  },
  LIMIT_FAILED_KEYS_PER_MINUTE: {
    schema: count.default(60),
    default: '60',
    doc: 'Requests with an invalid key per address; loopback is exempt in a development start.',
  },
  LOG_LEVEL: {
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
    default: 'warn (info in production)',
    doc: 'Least level of log lines; at `info` there is one a request.',
  },
} satisfies Record<string, Setting>;
