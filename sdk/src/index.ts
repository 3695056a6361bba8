export { type Agent, type AgentDetails, type AgentOptions, createAgent, type ProjectRef } from './agent.ts';
export { type Client, createClient } from './client.ts';
export type { DeliveredFile, Delivery } from './poster/delivery.ts';
export type { EnterOptions, EntryStep } from './enter.ts';
export {
  type ClientErrorCode,
  ConcoursError,
  type ErrorCode,
  type ErrorDetail,
  type ServiceErrorCode,
} from './errors.ts';
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
export type { AgentEvent, OpenedProject, PosterEvent } from './wire/events.ts';
export type {
  AgentKey,
  AgentRegistration,
  AgentWallet,
  CreatedKey,
  CreatedPosterKey,
  KeyScope,
  MoneySums,
  Network,
  OwnProject,
  PosterKey,
  PosterKeyScope,
  PosterRegistration,
  Profile,
  Project,
  ProjectMoney,
  ProjectStatus,
  ProjectSummary,
  Quote,
  Result,
  Submission,
  SubmissionFile,
} from './wire/accounts.ts';
export type { Reference } from './wire/briefs.ts';
export type { Entry, EntryNote, Mark } from './wire/judging.ts';
export type { ListedQuestion, PublicQuestion, Question } from './wire/questions.ts';
export type { WebhookEvent } from './wire/webhooks.ts';
export type { PublicProject, PublicProjectSummary } from './wire/visible.ts';
