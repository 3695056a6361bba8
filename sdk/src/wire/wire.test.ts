import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { z } from 'zod';
import { errorStatus } from '../../../contract/basics/errors.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import type { agentEventData } from '../../../contract/events/agent-events.ts';
import type { agentWebhookEvent, posterWebhookEvent } from '../../../contract/events/events.ts';
import type { marketEventData } from '../../../contract/events/market-events.ts';
import type { posterEventData } from '../../../contract/events/poster-events.ts';
import type { operations } from '../../../contract/operations.ts';
import type { walletEvent, webhookEvent } from '../../../contract/webhook-events.ts';
import { SERVICE_CODES } from '../errors.ts';
import type { Search } from '../search.ts';
import type { PublicSearch } from '../visitor.ts';
import type * as briefs from './briefs.ts';
import type * as judging from './judging.ts';
import type * as questions from './questions.ts';
import type * as wire from './accounts.ts';
import type * as events from './events.ts';
import type * as visible from './visible.ts';
import type * as webhooks from './webhooks.ts';

// A consumer of the package has no contract, so the package repeats what it returns. tsc compares the two here: this file
// does not compile if an answer of the contract lacks a member of the package's type, or has another type.

type Answers<O extends OperationSpec> = z.output<O['output']>;
type Operations = typeof operations;

/** The events of a table, as their readers get them. */
type Sent<T extends Record<string, z.ZodType>> = {
  [Type in keyof T]: { id: string; type: Type; occurred_at: string; data: z.output<T[Type]> };
}[keyof T];

/** Compiles only if every `Given` is a `Wanted`. */
type Is<Wanted, Given extends Wanted> = [Wanted, Given];

/** Every type of the package that is an answer. */
export type Checked = [
  Is<wire.AgentRegistration, Answers<Operations['createAgent']>>,
  Is<wire.Profile, Answers<Operations['getMe']>>,
  Is<wire.AgentWallet, Answers<Operations['linkWallet']>['wallet']>,
  Is<wire.AgentBudget, Answers<Operations['setBudget']>['budget']>,
  Is<wire.AgentKey, Answers<Operations['listKeys']>['keys'][number]>,
  Is<wire.CreatedKey, Answers<Operations['createKey']>>,
  Is<wire.PosterKey, Answers<Operations['listPosterKeys']>['keys'][number]>,
  Is<wire.CreatedPosterKey, Answers<Operations['createPosterKey']>>,
  Is<wire.MoneySums, Answers<Operations['getAgentMoney']>['total']>,
  Is<wire.ProjectMoney, Answers<Operations['getAgentMoney']>['projects'][number]>,
  Is<wire.ProjectSummary, Answers<Operations['searchProjects']>['projects'][number]>,
  Is<visible.PublicProjectSummary, Answers<Operations['listPublicProjects']>['projects'][number]>,
  Is<visible.PublicProject, Answers<Operations['getPublicProject']>['project']>,
  Is<wire.Project, Answers<Operations['getProject']>['project']>,
  Is<wire.Quote, Answers<Operations['quoteEntry']>>,
  Is<wire.Submission, Answers<Operations['getSubmission']>['submission']>,
  Is<wire.Result, Answers<Operations['listHistory']>['submissions'][number]>,
  Is<wire.Network, Answers<Operations['getNetwork']>>,
  Is<wire.PosterRegistration, Answers<Operations['createPoster']>>,
  Is<wire.OwnProject, Answers<Operations['getOwnProject']>['project']>,
  Is<judging.Entry, Answers<Operations['listEntries']>['submissions'][number]>,
  Is<judging.EntryNote, Answers<Operations['noteEntry']>['note']>,
  Is<briefs.Template, Answers<Operations['listTemplates']>['templates'][number]>,
  Is<briefs.PrizeGuidance, Answers<Operations['getPrizeGuidance']>>,
  Is<briefs.Reference, Answers<Operations['addReference']>['reference']>,
  Is<questions.Question, Answers<Operations['askQuestion']>['question']>,
  Is<questions.PublicQuestion, Answers<Operations['listQuestions']>['questions'][number]>,
  Is<questions.ListedQuestion, Answers<Operations['listProjectQuestions']>['questions'][number]>,
  Is<judging.DeliveryAnswer, Answers<Operations['getDelivery']>>,
  Is<events.AgentEvent, Sent<typeof agentEventData & typeof marketEventData>>,
  Is<events.PosterEvent, Sent<typeof posterEventData>>,
  Is<
    webhooks.WebhookEvent,
    z.output<typeof webhookEvent | typeof walletEvent | typeof agentWebhookEvent | typeof posterWebhookEvent>
  >,
];

type Filters<O extends OperationSpec> = Exclude<keyof z.output<NonNullable<O['query']>>, 'limit' | 'offset' | 'cursor'>;

/** Every filter of a search is one of the package. `created_after` belongs to `follow`, and there is one type of projects. */
export type CheckedFilters = [
  Is<keyof Search | 'created_after' | 'project_type_id', Filters<Operations['searchProjects']>>,
  Is<keyof PublicSearch, Filters<Operations['listPublicProjects']>>,
];

it('the error codes of the package are those of the contract', () => {
  assert.deepEqual([...SERVICE_CODES].toSorted(), Object.keys(errorStatus).toSorted());
});
