import type { Logger } from 'pino';
import type { AiClient } from './judging/types.ts';
import type { Config } from './config.ts';
import type { IdempotentCall, AnswerSeals } from './idempotency/types.ts';
import type { Signing } from './signing/types.ts';
import type { Storage } from './storage/types.ts';
import type { Chain, Balances, Network } from './chain/types.ts';
import type { Facilitator, Treasury } from './x402/types.ts';
import type { DeliverWebhook, WebhookSecrets, WebhookTarget } from './webhooks/types.ts';
import type { MailTokens, SendMail } from './mail/types.ts';
import type { Breaker, Db } from './db/database.ts';
import type { ChainComparison } from './ledger/types.ts';
import type { Clock } from './clock.ts';
import type { Caller } from './callers.ts';
import type {
  PublicCopies,
  ImageInspector,
  MediaUrls,
  CopyRenderer,
  FairQueue,
  OriginalUrls,
} from './pictures/types.ts';
import type { Inspections } from './entries/types.ts';
import type { EventHub } from './events/types.ts';
import type { KnownKeys } from './keys/types.ts';
import type { PaymentSetup } from './payments/types.ts';
import type { IdentityProvider, OperatorSessions } from './operators/types.ts';

/** The outside world. `main.ts` builds it once; tests replace single parts with a clock or a fault. */
export type World = {
  config: Config;
  db: Db;
  /** The pool of lists, searches, and pages, which is read-only. A slow read takes no connection from payments. */
  reads: Db;
  /** The pools that answer requests without a key: those of DATABASE_READ_URL, which can lag behind. Null: the ones above. */
  anonymous: { reads: Db } | null;
  /** Tells whether the database can serve at all. */
  breaker: Breaker;
  clock: Clock;
  /** Returns a UUIDv7. */
  newId: () => string;
  randomBytes: (size: number) => Buffer;
  storage: Storage;
  chain: Chain;
  facilitator: Facilitator;
  network: Network;
  /** Signs payouts and refunds. */
  treasury: Treasury;
  /** The treasury's address in lower case: it receives entry fees and prizes. */
  payTo: string;
  /** The model that judges; null where none is configured. */
  ai: AiClient | null;
  inspectImage: ImageInspector;
  renderCopies: CopyRenderer;
  /** A caller that reads a picture from storage and decodes it waits for a turn here first. */
  pictureTurns: FairQueue;
  mediaUrls: MediaUrls;
  originalUrls: OriginalUrls;
  webhookSecrets: WebhookSecrets;
  answerSeals: AnswerSeals;
  /** Seals payment signatures, by the payment's id. */
  paymentSeals: AnswerSeals;
  /** Signs offers, receipts, and delivery manifests. */
  signing: Signing;
  deliverWebhook: DeliverWebhook;
  /** Returns where a URL leads, or why no delivery to it is possible. */
  webhookTarget: (url: string) => Promise<WebhookTarget>;
  /** Null: no mail server is set, and the service sends no email. */
  sendMail: SendMail | null;
  mailTokens: MailTokens;
  /** The service's address for clients, without a path or a trailing slash. */
  publicUrl: string;
  /** Mints test USDC on the embedded chain; null wherever the money is real. */
  faucet: ((address: string, amountMicro: number) => Promise<void>) | null;
  /** The RPC address that a development start tells its clients. */
  developmentRpcUrl: string | undefined;
  log: Logger;
};

/** Caches and handlers that the domains offer to each other; `service.ts` builds them on the world. */
export type Services = {
  publicCopies: PublicCopies;
  inspections: Inspections;
  eventHub: EventHub;
  balances: Balances;
  comparison: ChainComparison;
  payments: PaymentSetup;
  knownKeys: KnownKeys;
  operatorSessions: OperatorSessions;
  /** Null without OIDC_ISSUER. */
  identityProvider: IdentityProvider | null;
};

export type Deps = World & Services;

/** `Deps` plus the caller: the first argument of every verb. */
export type Context<C extends Caller = Caller> = Deps & {
  caller: C;
  requestId: string;
  /** The peer's address, or the forwarded one behind a configured trusted proxy. */
  remoteAddress: string;
  /** Counts the request as a registration, too. Set in every request. @throws LimitExceeded */
  countRegistration?: () => Promise<void>;
  /** Set on a request with an `Idempotency-Key`: what `runIdempotent` needs to run it at most once. */
  idempotentCall?: IdempotentCall;
  /** Set on a request that may wait: it is aborted when the client's connection closes. */
  disconnected?: AbortSignal;
};
