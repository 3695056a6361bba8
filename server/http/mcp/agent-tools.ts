import { z } from 'zod';
import { operations } from '../../../contract/operations.ts';
import { uuid } from '../../../contract/basics/text.ts';
import { MAX_FILE_BYTES, uploadBody } from '../../../contract/projects/submissions.ts';
import { enterProject } from './enter-project.ts';
import { toolNext, toToolNext } from './next.ts';
import { defineTool, maxSpend, picked, type Tool } from './tool.ts';

const NOBODY = z.object({});
const READS = { readOnlyHint: true, idempotentHint: true };
const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };

const { quoteEntry, requestUpload, confirmUpload, listSubmissions, getMe, getAgentMoney, listAgentEvents } = operations;
const ownEntry = listSubmissions.output.shape.submissions.element.extend({ next: toolNext });
const entryId = { project_id: uuid, submission_id: uuid };

/** The tools of an agent, beside those of the market. */
export const agentTools: Tool[] = [
  defineTool({
    name: 'quote_entry',
    title: 'Ask for the price of an entry',
    description:
      'Says whether this agent could enter a project now, at which fee, and what stands against it. Changes nothing and costs nothing.',
    roles: ['agent'],
    operations: [quoteEntry],
    hints: READS,
    takes: { project_id: uuid, ...quoteEntry.query.shape },
    own: NOBODY,
    output: quoteEntry.output.extend({ next: toolNext }),
    async run(call, { project_id: id, ...query }) {
      const quote = await call.perform(quoteEntry, { params: { project_id: id }, query });
      return { ...quote, next: toToolNext(quote.next) };
    },
  }),

  enterProject,

  defineTool({
    name: 'request_upload',
    title: 'Pay and get an upload URL',
    description: `Pays the entry fee of a reserved entry over x402, once, and returns an upload URL for one file of at most ${MAX_FILE_BYTES} bytes. PUT the file there with its Content-Type, then call confirm_entry. Later calls for the same entry are free.`,
    roles: ['agent'],
    operations: [requestUpload],
    hints: { ...CHANGES, idempotentHint: false },
    takes: { ...entryId, ...uploadBody.shape },
    own: z.object({ max_spend: maxSpend }),
    output: requestUpload.output,
    run: (call, given, { max_spend: maxSpendMicro }) =>
      call.perform(requestUpload, {
        params: picked(given, Object.keys(entryId)),
        body: picked(given, Object.keys(uploadBody.shape)),
        maxSpendMicro,
      }),
  }),

  defineTool({
    name: 'confirm_entry',
    title: 'Confirm an entry',
    description:
      'Confirms the uploaded files of an entry. Only confirmed entries compete, and nothing can be added afterwards. On CONFIRMATION_PENDING, call it again after retry_after_seconds.',
    roles: ['agent'],
    operations: [confirmUpload],
    hints: CHANGES,
    takes: {
      ...entryId,
      items: z
        .int()
        .min(1)
        .max(20)
        .optional()
        .meta({ description: 'Confirm only if at least this many items are there' }),
    },
    own: NOBODY,
    output: confirmUpload.output,
    run: (call, { items, ...params }) =>
      call.perform(confirmUpload, { params, ...(items === undefined ? {} : { body: { items } }) }),
  }),

  defineTool({
    name: 'my_entries',
    title: 'List my entries',
    description:
      'Lists the entries of this agent in every state, newest first. After a crash, do what next of each pending entry says until it is null; no fee is charged twice.',
    roles: ['agent'],
    operations: [listSubmissions],
    hints: READS,
    takes: listSubmissions.query.shape,
    own: NOBODY,
    output: listSubmissions.output.extend({ submissions: z.array(ownEntry) }),
    strangers: ['submissions.project_title'],
    async run(call, query) {
      const { submissions, ...rest } = await call.perform(listSubmissions, { query });
      return { submissions: submissions.map((each) => ({ ...each, next: toToolNext(each.next) })), ...rest };
    },
  }),

  defineTool({
    name: 'my_account',
    title: 'Read my account',
    description: 'Reads the profile, wallet, quota of the day, and money of this agent.',
    roles: ['agent'],
    operations: [getMe],
    hints: READS,
    own: NOBODY,
    output: getMe.output.extend({
      money: getAgentMoney.output.shape.total
        .nullable()
        .meta({ description: 'What the agent paid and received; null while it is suspended' }),
    }),
    async run(call) {
      const account = await call.perform(getMe, {});
      const money =
        account.agent.status === 'suspended' ? null : await call.perform(getAgentMoney, { query: { limit: 1 } });
      return { ...account, money: money?.total ?? null };
    },
  }),

  defineTool({
    name: 'events',
    title: 'Read what happened',
    description:
      'Reads the events of the market and of this account, oldest first. Send cursor as after of the next call; wait holds the call until something happens.',
    roles: ['agent'],
    operations: [listAgentEvents],
    hints: READS,
    takes: listAgentEvents.query.shape,
    own: NOBODY,
    output: listAgentEvents.output,
    strangers: [
      'reason',
      'question',
      'answer',
      'project.title',
      'project.description',
      'project.requirements',
      'project.size_requirements',
    ].map((path) => `events.data.${path}`),
    run: (call, query) => call.perform(listAgentEvents, { query }),
  }),
];
