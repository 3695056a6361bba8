import type { Sql, TransactionSql } from 'postgres';
import type { Logger } from 'pino';
import type { AiClient } from './ports/ai.ts';
import type { Config } from './config.ts';
import type { Once } from './ports/idempotency.ts';
import type { AnswerSeals } from './idempotency/seals.ts';
import type { Storage } from './ports/storage.ts';
import type { ImageInspector } from './pictures/inspect-image.ts';
import type { MediaUrls } from './pictures/media-urls.ts';
import type { PictureMemory } from './pictures/picture-memory.ts';
import type { CopyRenderer } from './pictures/public-copies-renderer.ts';
import type { Chain } from './ports/chain.ts';
import type { Facilitator } from './ports/facilitator.ts';
import type { Network } from './chain/networks.ts';
import type { PaymentSetup } from './payments/setup.ts';
import type { Analyst } from './projects/analyse-brief.ts';
import type { Treasury } from './x402/treasury.ts';
import type { DeliveryOutcome } from './ports/webhooks.ts';
import type { WebhookSecrets } from './webhooks/sender/secrets.ts';

/** int8 is read as a safe integer: microdollar sums stay below 2^53 (9 billion USDC). */
type PgTypes = { bigint: number };
export type Db = Sql<PgTypes>;
export type Tx = TransactionSql<PgTypes>;
/** What a query function takes: reads may run outside a transaction, writes are given one. */
export type Queryable = Db | Tx;

export type Clock = { now(): Date };

/** The outside world, built once in `main.ts`; tests hand in a clock or a fault. */
export type Deps = {
  config: Config;
  db: Db;
  /**
   * For single statements that read a bounded number of rows: one connection, on which they follow one another without
   * waiting for each other's answers. To wake a backend that sleeps costs more than such a statement does, and one backend
   * reads about as much as one process can ask for. On two cores it answers a tenth more searches that differ, and a tenth
   * more details, than two do, and those a third more than eight that take one statement at a time.
   */
  reads: Db;
  clock: Clock;
  /** UUIDv7. */
  newId: () => string;
  randomBytes: (size: number) => Buffer;
  storage: Storage;
  chain: Chain;
  facilitator: Facilitator;
  network: Network;
  /** Signs payouts and refunds. */
  treasury: Treasury;
  /** The treasury's address, lower case: where entry fees and prizes are paid. */
  payTo: string;
  /** The model that judges and analyses; null where none is configured. */
  ai: AiClient | null;
  analyst: Analyst;
  inspectImage: ImageInspector['inspect'];
  pictureMemory: PictureMemory;
  renderCopies: CopyRenderer['render'];
  publicCopies: PublicCopies;
  mediaUrls: MediaUrls;
  webhookSecrets: WebhookSecrets;
  answerSeals: AnswerSeals;
  /** Of the signatures of payments, by their ids. */
  paymentSeals: AnswerSeals;
  deliverWebhook: DeliverWebhook;
  /** The network that a delivery to a URL goes to, for a cap on each; null where none can be made. */
  webhookNetwork: (url: string) => Promise<string | null>;
  /** Where clients reach the service, without a path or a slash at the end. */
  publicUrl: string;
  /** Mints test USDC on the embedded chain; null wherever the money is real. */
  faucet: ((address: string, amountMicro: number) => Promise<void>) | null;
  /** Told to clients of a development start alone. */
  developmentRpcUrl: string | undefined;
  balances: Balances;
  payments: PaymentSetup;
  agentKeys: KnownKeys;
  posterSessions: KnownKeys;
  ownFigures: OwnFigures;
  log: Logger;
};

/** One POST to a URL that a stranger chose, within 5 s or what is given. Never throws: whatever happens is an outcome. */
export type DeliverWebhook = (delivery: {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  deadlineMs?: number;
}) => Promise<DeliveryOutcome>;

/** USDC on chain, cached: null when it was never read, `stale` when the chain does not answer now. */
export type Balances = {
  balance(address: string): Promise<{ balanceMicro: number | null; stale: boolean }>;
  /** After money moved. */
  drop(address: string): void;
};

/** Of a picture, re-encoded and without metadata: at its full size, and small. */
export type CopyVariant = 'image' | 'thumbnail';

/** The copies of confirmed pictures that others may see. */
export type PublicCopies = {
  /**
   * A WebP, made now when nobody has asked before; null when there is no such confirmed picture.
   *
   * @throws StorageError, or InspectorBusy when too many are being made
   */
  read(mediaFileId: string, variant: CopyVariant): Promise<Buffer | null>;
  /** Has both made soon, without anybody waiting for it. */
  prepare(mediaFileId: string): void;
  /** Ends with the picture that is being made. */
  stop(): Promise<void>;
};

/** The keys that this process keeps in memory for authentication. */
export type KnownKeys = {
  /** After a key's end was moved: the next request with it reads the database. */
  forget(keyId: string): void;
};

/** What this process counted since it started. */
export type OwnFigures = {
  since: Date;
  answers(): { operation: string; status: number; count: number }[];
  /** Attempts at webhooks, by `delivered` or how they failed; null where it sends none. */
  attempts(): ReadonlyMap<string, number> | null;
};

export type Tier = 'starter' | 'pro' | 'elite';
export type AgentStatus = 'active' | 'limited' | 'suspended' | 'under_review';

/** Why an agent is not active, and until when; null: nobody said so, and without an end. */
export type Restriction = { reason: string | null; until: Date | null };

export type AgentCaller = {
  kind: 'agent';
  agentId: string;
  keyId: string;
  tier: Tier;
  status: AgentStatus;
  /** Of one that is not active. */
  restriction?: Restriction;
};
/** By a key, or by the session of a browser. */
export type PosterCaller = { kind: 'poster'; posterId: string; keyId?: string; sessionId?: string };
export type OperatorCaller = { kind: 'operator' };
export type PublicCaller = { kind: 'public' };
export type Caller = AgentCaller | PosterCaller | OperatorCaller | PublicCaller;

/** Deps plus who asks: what every verb takes first. */
export type Context<C extends Caller = Caller> = Deps & {
  caller: C;
  requestId: string;
  /** The peer's address, or the forwarded one behind a configured trusted proxy. */
  remoteAddress: string;
  /** Of a request with an `Idempotency-Key`: what `doOnce` needs to do it once. */
  once?: Once;
};
