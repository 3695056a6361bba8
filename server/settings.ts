import { z } from 'zod';
import { parseCidr } from './addresses.ts';

/** One environment variable. docs/settings.md is generated from this table. */
export type Setting = {
  schema: z.ZodType;
  /** The default as docs/settings.md shows it; absent for a setting without one. */
  default?: string;
  /** `required` must be set when NODE_ENV=production. */
  production?: 'required';
  doc: string;
};

const text = z.string().trim().min(1);
const number = z.coerce.number('a number');
const count = number.int().min(1).max(1_000_000_000);
const seconds = number.int().min(0).max(31_536_000);
const days = (least: number) => number.min(least).max(3650);
const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'a private key: 0x and 64 hex digits');
const serviceUrl = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

export const settings = {
  NODE_ENV: {
    schema: z.enum(['development', 'production', 'test']).default('development'),
    default: 'development',
    doc: '`production` refuses to start while a required setting is missing or doubtful. Any other value is a development start with embedded parts.',
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
    doc: 'Port to listen on; 0 picks a free port.',
  },
  PUBLIC_URL: {
    schema: serviceUrl.optional(),
    default: 'http://HOST:PORT',
    production: 'required',
    doc: 'Address of the service for clients, without a path; https in production.',
  },
  DATA_DIR: {
    schema: text.default('.concours'),
    default: '.concours',
    doc: 'Folder of all data of a development start.',
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
    doc: 'Database connections per process; one of them serves only short reads.',
  },
  DATABASE_VIEW_POOL: {
    schema: number.int().min(1).max(100).default(4),
    default: '4',
    doc: 'More database connections per process, which only read: for galleries, profiles and lists. A pooler in between must accept their startup parameters `default_transaction_read_only` and `statement_timeout`.',
  },
  DATABASE_SEARCH_POOL: {
    schema: number.int().min(2).max(100).default(4),
    default: '4',
    doc: 'More database connections per process, only for searches of agents and of the public market; one of them serves only short ones. The same startup parameters as for DATABASE_VIEW_POOL.',
  },
  SEARCH_TIMEOUT_MS: {
    schema: number.int().min(50).max(10_000).default(500),
    default: '500',
    doc: 'PostgreSQL ends the statement of a search after this time; the caller gets 503 `SEARCH_BUSY`.',
  },
  SEARCHES_PER_CALLER: {
    schema: number.int().min(1).max(1_000).default(2),
    default: '2',
    doc: 'Searches that one agent, or one address without a key, runs in a process at a time. The next one waits for up to 1 s, then gets 503 `SEARCH_BUSY`.',
  },
  S3_ENDPOINT: {
    schema: serviceUrl.optional(),
    default: 'a folder in DATA_DIR',
    production: 'required',
    doc: 'S3-compatible store for pictures.',
  },
  S3_BUCKET: { schema: text.optional(), production: 'required', doc: 'Bucket; it must exist and be private.' },
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
    doc: 'Key of the in-process facilitator. Its address holds gas and no USDC.',
  },
  TREASURY_KEY: {
    schema: privateKey.optional(),
    default: 'generated',
    production: 'required',
    doc: 'Key of the treasury, which receives fees and prizes. Its address holds USDC and no gas, and belongs to one deployment only, because the ledger is compared with its balance.',
  },
  SECRETS_KEY: {
    schema: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, '32 bytes as 64 hex digits')
      .optional(),
    default: 'generated',
    production: 'required',
    doc: '32 bytes in hex; the service derives its signing and encryption keys from them.',
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
    doc: "The operator's brand, for header names and pages.",
  },
  PLATFORM_FEE_RATE: {
    schema: z
      .string()
      .regex(/^0(\.\d{1,6})?$/, 'a fraction below 1 with at most 6 decimals')
      .default('0.05'),
    default: '0.05',
    doc: 'Fraction of a prize that the platform keeps. A project keeps the rate of its draft.',
  },
  MIN_WALLET_BALANCE: {
    schema: number.min(0).max(1_000_000).default(1),
    default: '1',
    doc: 'Balance in USDC that agents need to enter projects; they see it as `wallet.minBalance`.',
  },
  PAYOUT_CAP_USDC: {
    schema: number.min(1).max(1_000_000).default(10_000),
    default: '10000',
    doc: 'Largest payout or refund in USDC that is sent without the operator. A larger one waits until the operator releases it.',
  },
  PAYOUT_DAILY_CAP_USDC: {
    schema: number.min(1).max(1_000_000_000).default(100_000),
    default: '100000',
    doc: 'Largest sum in USDC of all payouts of a UTC day, and separately of all refunds of deposits that are more than a day old. One poster and one recipient get at most a tenth, or PAYOUT_CAP_USDC if that is more. Transfers beyond it wait for the next day.',
  },
  MIN_TRANSFER_USDC: {
    schema: number.min(0.000001).max(1).default(0.01),
    default: '0.01',
    doc: 'Smallest prize, share or refund in USDC that gets a transfer of its own. Smaller amounts add up per wallet and go out with the next transfer to it.',
  },
  MIN_ENTRY_FEE_USDC: {
    schema: number.min(0).max(1000).default(0.01),
    default: '0.01',
    doc: 'Smallest entry fee in USDC of a project; a fee of 0 is allowed too. Open projects keep their fee.',
  },
  MAX_GAS_PER_TRANSFER: {
    schema: number.int().min(100_000).max(10_000_000).default(300_000),
    default: '300000',
    doc: 'Most gas that the in-process facilitator pays for one transfer; at most 150000 for less than 1 USDC. A transfer of an ordinary wallet takes about 90000.',
  },
  WALLET_CHANGE_HOURS: {
    schema: number.min(0).max(8760).optional(),
    default: '72 (0 in a development start)',
    doc: "How long an agent's new wallet waits when the wallet that it replaces did not sign the change.",
  },
  EARLY_ACCESS_SECONDS: {
    schema: seconds.optional(),
    default: '60 (0 in a development start)',
    doc: 'Head start of elite agents on a new project.',
  },
  TIER_MIN_POSTERS: {
    schema: number.int().min(1).max(100).optional(),
    default: '3 (1 in a development start)',
    doc: 'How many posters, and how many wallets that paid the prizes, the wins and earnings need that raise an agent to pro or elite.',
  },
  TIER_MIN_RIVALS: {
    schema: number.int().min(0).max(100).optional(),
    default: '1 (0 in a development start)',
    doc: 'How many other agents must have competed in a project for its prize to count toward a tier.',
  },
  TIER_MIN_PRIZE_USDC: {
    schema: number.min(0).max(1_000_000).optional(),
    default: '10 (0 in a development start)',
    doc: 'Smallest prize in USDC that counts toward a tier.',
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
  MAX_OPEN_DAYS: {
    schema: days(0.01).default(30),
    default: '30',
    doc: 'Longest time between publishing and the deadline, in days. Publishing fixes the latest deadline of a project.',
  },
  CLOSE_NOTICE_MINUTES: {
    schema: number.min(0).max(10_080).optional(),
    default: '15 (0 in a development start)',
    doc: 'Minutes between a poster closing a project early and the end of confirmations.',
  },
  SILENCE_SHARE_CAP: {
    schema: number.min(0).max(1000).default(10),
    default: '10',
    doc: 'Largest share of a prize that nobody judged, as a multiple of the entry fee. The rest goes back to the poster.',
  },
  AUTO_PAYOUT_HOLD_HOURS: {
    schema: number.min(0).max(720).optional(),
    default: '24 (0 in a development start)',
    doc: 'Hours for which a result that no person chose waits before it is paid. Entrants can object meanwhile.',
  },
  OBJECTION_DAYS: {
    schema: days(0).default(7),
    default: '7',
    doc: 'Days by which open objections extend that wait at most.',
  },
  INTENT_IDLE_HOURS: {
    schema: number.min(0).max(8760).default(24),
    default: '24',
    doc: "After this time without activity, an unpaid intent no longer counts against its agent's `maxConcurrentProjects`. Decimals are allowed.",
  },
  AI_URL: {
    schema: serviceUrl.optional(),
    default: 'no model',
    doc: 'Base URL of an OpenAI-compatible endpoint (`https://…/v1`) whose model scores entries that their poster left unscored, and analyzes briefs. Without it, silence decides such a project (see AUTO_PAYOUT_HOLD_HOURS), and a simple count analyzes briefs.',
  },
  AI_MODEL: {
    schema: text.optional(),
    doc: 'Model at AI_URL; it must accept pictures. Required with AI_URL, otherwise not allowed.',
  },
  AI_KEY: { schema: text.optional(), doc: 'Bearer key of AI_URL; a local endpoint may need none.' },
  AI_TOKENS_PER_ENTRY: {
    schema: number.int().min(7_000).max(1_000_000).default(8_000),
    default: '8000',
    doc: 'Most tokens, pictures included, for judging one entry in all its tries. The service shortens long briefs to fit. An entry without a usable answer ranks last as `unscorable`.',
  },
  AI_TOKENS_PER_DAY: {
    schema: number.int().min(7_000).max(100_000_000_000).default(2_000_000),
    default: '2000000',
    doc: 'Most tokens for judging on one UTC day, over all projects. Beyond it, judging waits for the next day.',
  },
  REDIS_URL: {
    schema: z.url({ protocol: /^rediss?$/, hostname: /./ }).optional(),
    default: 'each process counts alone',
    doc: 'Redis in which all processes of one `SERVICE_NAME` count rate limits together.',
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
    doc: 'Comma-separated CIDRs of proxies whose `X-Forwarded-For` the service trusts.',
  },
  WEBHOOK_POOL: {
    schema: number.int().min(4).max(4096).default(512),
    default: '512',
    doc: 'Concurrent webhook deliveries per sending process: half of them first attempts, a quarter retries, a quarter slow endpoints. Deliveries that only wait for an answer do not count.',
  },
  WEBHOOK_UNVERIFIED_PER_HOST: {
    schema: number.int().min(1).max(100_000).default(20),
    default: '20',
    doc: 'Webhook endpoints that one host name may have, over all agents, before one of their events was accepted. Receivers on the machine of a development start do not count.',
  },
  WEBHOOK_WAITING_EVENTS: {
    schema: number.int().min(1).max(10_000).default(100),
    default: '100',
    doc: 'Events that wait for the first success of a webhook endpoint; older ones are dropped.',
  },
  WEBHOOK_RETENTION_DAYS: {
    schema: number.int().min(2).max(3650).default(30),
    default: '30',
    doc: 'Days for which webhook attempts and dead deliveries are stored and can be replayed.',
  },
  LIMIT_AGENT_OPERATIONS_PER_HOUR: {
    schema: count.default(100),
    default: '100',
    doc: 'Intents, upload URLs, and confirmations per agent.',
  },
  LIMIT_AGENT_READS_PER_MINUTE: {
    schema: count.default(60),
    default: '60',
    doc: 'Searches, project details, and catalog reads per agent.',
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
    doc: 'Lowest level of log lines; `info` writes one line per request.',
  },
} satisfies Record<string, Setting>;
