export { type Agent, type AgentDetails, type AgentOptions, createAgent, type ProjectRef } from './agent.ts';
export { type Client, createClient } from './client.ts';
export type { DeliveredFile, Delivery } from './poster/delivery.ts';
export type { EnterOptions, EntryStep } from './enter.ts';
export { type ClientErrorCode, ConcoursError, type ErrorCode, type ErrorDetail } from './errors.ts';
export type { EventsOptions } from './events/events.ts';
export type { FileSource } from './files.ts';
export type { Keys, PosterKeys } from './keys.ts';
export type { Money } from './money-account.ts';
export { microOf, type Usdc } from './money.ts';
export type { Brief, Copy } from './poster/brief.ts';
export type { Judging } from './poster/judging.ts';
export { createPoster, type Poster, type PosterOptions } from './poster/poster.ts';
export type { References } from './poster/references.ts';
export type { Fetch, Request, ServiceOptions } from './service.ts';
export type { Search } from './search.ts';
export { createVisitor, type PublicSearch, type Visitor } from './visitor.ts';
export type { TransferAuthorization, Wallet, WalletOption } from './wallet.ts';
export { type HeaderSource, verifyWebhook } from './webhook.ts';
export type {
  AgentEvent,
  AgentKey,
  AgentRegistration,
  AgentWallet,
  CreatedKey,
  CreatedPosterKey,
  Entry,
  EntryNote,
  KeyScope,
  ListedQuestion,
  MoneySums,
  Network,
  OpenedProject,
  OwnProject,
  PosterEvent,
  PosterKey,
  PosterKeyScope,
  PosterRegistration,
  Profile,
  Project,
  ProjectMoney,
  ProjectStatus,
  ProjectSummary,
  PublicProject,
  PublicProjectSummary,
  PublicQuestion,
  Question,
  Quote,
  Reference,
  Result,
  ServiceErrorCode,
  Submission,
  SubmissionFile,
  WebhookEvent,
} from './wire.ts';
