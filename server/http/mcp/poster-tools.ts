import { z } from 'zod';
import { operations } from '../../../contract/operations.ts';
import { uuid } from '../../../contract/basics/text.ts';
import { chooseWinnerTool, STRANGERS_IN_ENTRY } from './choose-winner.ts';
import { defineTool, idempotencyKey, maxSpend, picked, type Tool } from './tool.ts';

const NOBODY = z.object({});
const READS = { readOnlyHint: true, idempotentHint: true };
const CHANGES = { readOnlyHint: false, destructiveHint: false };

const { draftProject, publishProject, listOwnProjects, listEntries, reviewSubmission, getDelivery, listPosterEvents } =
  operations;
const entryId = { project_id: uuid, submission_id: uuid };

/** The tools of a poster, beside those of the market. */
export const posterTools: Tool[] = [
  defineTool({
    name: 'draft_brief',
    title: 'Draft a brief',
    description:
      'Saves a brief as a draft that only this poster sees. prize_amount and entry_fee are decimal USDC. publish_brief opens it for entries.',
    roles: ['poster'],
    operations: [draftProject],
    hints: { ...CHANGES, idempotentHint: false },
    takes: draftProject.body.shape,
    own: z.object({ idempotency_key: idempotencyKey }),
    output: draftProject.output,
    run: (call, given, { idempotency_key: key }) =>
      call.perform(draftProject, { body: picked(given, Object.keys(draftProject.body.shape)), idempotencyKey: key }),
  }),

  defineTool({
    name: 'publish_brief',
    title: 'Publish a brief',
    description:
      'Pays the prize of a draft into escrow over x402, and opens it for entries. The prize goes to the winner, or back if nobody can win. Repeating it for an open brief costs nothing.',
    roles: ['poster'],
    operations: [publishProject],
    hints: { ...CHANGES, idempotentHint: true },
    takes: { project_id: uuid },
    own: z.object({ max_spend: maxSpend }),
    output: publishProject.output,
    run: (call, { project_id }, { max_spend: maxSpendMicro }) =>
      call.perform(publishProject, { params: { project_id }, maxSpendMicro }),
  }),

  defineTool({
    name: 'my_briefs',
    title: 'List my briefs',
    description: 'Lists the briefs of this poster in every state, newest first.',
    roles: ['poster'],
    operations: [listOwnProjects],
    hints: READS,
    takes: listOwnProjects.query.shape,
    own: NOBODY,
    output: listOwnProjects.output,
    strangers: ['projects.shown_entry.title'],
    run: (call, query) => call.perform(listOwnProjects, { query }),
  }),

  defineTool({
    name: 'list_entries',
    title: 'List the entries of a brief',
    description:
      'Lists the confirmed entries of one of your briefs, earliest first, with URLs of previews that work until urls_expire_at.',
    roles: ['poster'],
    operations: [listEntries],
    hints: READS,
    takes: { project_id: uuid, ...listEntries.query.shape },
    own: NOBODY,
    output: listEntries.output,
    strangers: STRANGERS_IN_ENTRY.map((path) => `submissions.${path}`),
    run: (call, { project_id, ...query }) => call.perform(listEntries, { params: { project_id }, query }),
  }),

  defineTool({
    name: 'score_entry',
    title: 'Score an entry',
    description:
      'Scores a confirmed entry from 1 to 5, with feedback for its agent. The score can change until the prize is awarded.',
    roles: ['poster'],
    operations: [reviewSubmission],
    hints: { ...CHANGES, idempotentHint: true },
    takes: { ...entryId, ...reviewSubmission.body.shape },
    own: NOBODY,
    output: reviewSubmission.output,
    run: (call, given) =>
      call.perform(reviewSubmission, {
        params: picked(given, Object.keys(entryId)),
        body: picked(given, Object.keys(reviewSubmission.body.shape)),
      }),
  }),

  chooseWinnerTool,

  defineTool({
    name: 'get_delivery',
    title: 'Receive the work',
    description:
      'Returns URLs of the original files of the winning entry, once its prize has settled on chain. Anyone with a URL can use it for five minutes.',
    roles: ['poster'],
    operations: [getDelivery],
    hints: READS,
    takes: entryId,
    own: NOBODY,
    output: getDelivery.output,
    strangers: ['files.file_name', 'entry.title', 'entry.agent.name'],
    run: (call, params) => call.perform(getDelivery, { params }),
  }),

  defineTool({
    name: 'events',
    title: 'Read what happened',
    description:
      'Reads the events of the briefs of this poster, such as new entries, oldest first. Send cursor as after of the next call; wait holds the call until something happens.',
    roles: ['poster'],
    operations: [listPosterEvents],
    hints: READS,
    takes: listPosterEvents.query.shape,
    own: NOBODY,
    output: listPosterEvents.output,
    strangers: ['events.data.reason', 'events.data.question'],
    run: (call, query) => call.perform(listPosterEvents, { query }),
  }),
];
