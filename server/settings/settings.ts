import { z } from 'zod';
import { parseCidr } from '../addresses.ts';
import { databaseSettings } from './database-settings.ts';
import { facilitatorSettings } from './facilitator-settings.ts';
import { legalSettings } from './legal-settings.ts';
import { mailSettings } from './mail-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { oidcSettings } from './oidc-settings.ts';
import { operatorSettings } from './operator-settings.ts';
import { marketSettings } from './market-settings.ts';
import { siteSettings } from './site-settings.ts';
import { networks, number, originUrl, partsOf, serviceUrl, text, type Setting } from './setting.ts';

export const settings = {
  NODE_ENV: {
    schema: z.enum(['development', 'production', 'test']).default('development'),
    default: 'development',
    doc: '`production` refuses to start while a required setting is missing or doubtful. Any other value is a development start with embedded parts.',
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
    schema: originUrl.optional(),
    default: 'http://HOST:PORT',
    production: 'required',
    doc: 'Address of the service for clients, without a path; https in production.',
  },
  DATA_DIR: {
    schema: text.default('.concours'),
    default: '.concours',
    doc: 'Folder of all data of a development start.',
  },
  ...databaseSettings,
  S3_ENDPOINT: {
    schema: serviceUrl.optional(),
    default: 'a folder in DATA_DIR',
    production: 'required',
    doc: 'S3-compatible store for pictures, as the service reaches it.',
  },
  S3_PUBLIC_ENDPOINT: {
    schema: originUrl.optional(),
    default: 'S3_ENDPOINT',
    doc: 'The same store as agents and browsers reach it: the address in upload URLs. A proxy must pass `Host` on, because the URLs sign it.',
  },
  S3_BUCKET: { schema: text.optional(), production: 'required', doc: 'Bucket; it must exist and be private.' },
  S3_REGION: { schema: text.default('us-east-1'), default: 'us-east-1', doc: 'Region of the bucket.' },
  S3_ACCESS_KEY_ID: { secret: true, schema: text.optional(), production: 'required', doc: 'Access key of the store.' },
  S3_SECRET_ACCESS_KEY: {
    secret: true,
    schema: text.optional(),
    production: 'required',
    doc: 'Secret key of the store.',
  },
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
    doc: 'JSON-RPC endpoint of the network. No redirect is followed.',
  },
  CONFIRMATIONS: {
    schema: number.int().min(0).max(1000).optional(),
    default: '1 (0 in a development start)',
    doc: 'Blocks that must follow the block of a payment before money is paid out on the strength of it.',
  },
  ...facilitatorSettings,
  BATCH_SIZE: {
    schema: number.int().min(1).max(100).default(100),
    default: '100',
    doc: 'The most payments that the in-process facilitator puts into one transaction. 1: every payment has a transaction of its own.',
  },
  ...operatorSettings,
  ...oidcSettings,
  SECRETS_KEY: {
    secret: true,
    schema: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, '32 bytes as 64 hex digits')
      .optional(),
    default: 'generated',
    production: 'required',
    doc: '32 bytes in hex; the service derives its signing and encryption keys from them.',
  },
  SECRETS_KEYS_ACCEPTED: {
    secret: true,
    schema: z
      .string()
      .regex(/^[0-9a-fA-F]{64}(\s*,\s*[0-9a-fA-F]{64})*$/, 'comma-separated keys of 64 hex digits each')
      .optional()
      .transform((value) => value?.split(',').map((part) => part.trim()) ?? []),
    doc: 'Comma-separated other SECRETS_KEYs. What was signed or encrypted under them stays valid, so that SECRETS_KEY can change while the service runs.',
  },
  SIGNING_KEYS_ACCEPTED: {
    schema: z
      .string()
      .regex(/^[\w-]{43}(\s*,\s*[\w-]{43})*$/, 'comma-separated public keys of 43 characters each')
      .optional()
      .transform((value) => value?.split(',').map((part) => part.trim()) ?? []),
    doc: 'Comma-separated public parts `x` of the Ed25519 keys of earlier SECRETS_KEYs, from `/.well-known/jwks.json`, and of the next one. They are published, so that older offers, receipts, and delivery manifests stay valid.',
  },
  SERVICE_NAME: {
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9-]{1,39}$/, 'lower-case letters, digits and hyphens')
      .default('concours'),
    default: 'concours',
    doc: "The operator's brand in header names, sign-in messages, and programs. SITE_NAME is the name on pages.",
  },
  ...siteSettings,
  ...marketSettings,
  ...legalSettings,
  AI_URL: {
    needs: ['AI_MODEL'],
    schema: serviceUrl
      .refine((value) => !/^https?:\/\/[^/]*@/i.test(value), 'holds a user or a password; put the key into AI_KEY')
      .refine((value) => !/[?#]/.test(value), 'must end with its path, without ? and #')
      .optional(),
    default: 'no model',
    doc: 'Base URL of an OpenAI-compatible endpoint (`https://…/v1`) whose model scores entries that their poster left unscored. Without it, silence decides such a project (see AUTO_PAYOUT_HOLD_HOURS).',
  },
  AI_MODEL: {
    needs: ['AI_URL'],
    schema: text.optional(),
    doc: 'Model at AI_URL; it must accept pictures. Required with AI_URL, otherwise not allowed.',
  },
  AI_KEY: {
    secret: true,
    needs: ['AI_URL'],
    schema: text.optional(),
    doc: 'Bearer key of AI_URL; a local endpoint may need none.',
  },
  AI_TOKENS_PER_DAY: {
    schema: number.int().min(50_000).max(100_000_000_000).default(2_000_000),
    default: '2000000',
    doc: 'Most tokens for judging on one UTC day, over all projects. Beyond it, judging waits for the next day.',
  },
  REDIS_URL: {
    secret: true,
    schema: z
      .string()
      .transform((value) => value.replace(/^unix:\/\/(?=\/)/, ''))
      .pipe(z.union([z.string().startsWith('/'), z.url({ protocol: /^rediss?$/, hostname: /./ })], 'Invalid URL'))
      .optional(),
    default: 'each process counts alone',
    doc: 'Redis in which all processes of one `SERVICE_NAME` count rate limits together: `rediss://user:password@host:6379/0`, or `/folder/redis.sock` for a Unix socket.',
  },
  TRUSTED_PROXIES: {
    schema: networks,
    default: 'none',
    doc: 'Comma-separated CIDRs of proxies whose `X-Forwarded-For` the service trusts.',
  },
  TRUSTED_NETWORKS: {
    schema: partsOf(
      (part) => parseCidr(part) !== null || /^[\da-z_](?:[\w.-]*[\da-z_])?$/.test(part),
      'comma-separated CIDRs and names of hosts in lower case, such as 10.0.0.0/8,db',
    ),
    default: 'none',
    doc: 'Comma-separated CIDRs and names of hosts that production may reach without TLS: database, Redis, S3, node, and other services in a network of containers. With CIDRs, a start looks up the names of hosts. This machine and Unix sockets need no entry.',
  },
  WEBHOOK_ALLOWED_NETWORKS: {
    schema: networks,
    default: 'none',
    doc: 'Comma-separated CIDRs of private networks in which webhook receivers may be, by HTTPS on port 443 or 8443. Every agent can then make the service send requests there.',
  },
  ...mailSettings,
  ...limitSettings,
  METRICS_TOKEN: {
    secret: true,
    schema: z.string().min(16).optional(),
    doc: 'Bearer token of `/metrics`. Unset: the operator key, and no key in a development start.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: serviceUrl.optional(),
    default: 'no traces',
    doc: 'OTLP/HTTP receiver of traces, such as `http://otel-collector:4318`. Further `OTEL_EXPORTER_OTLP_…` variables of OpenTelemetry hold too, such as `…_HEADERS`.',
  },
  LOG_LEVEL: {
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
    default: 'warn (info in production)',
    doc: 'Lowest level of log lines; `info` writes one line per request.',
  },
} satisfies Record<string, Setting>;
