import { z } from 'zod';
import { posterScopes } from '../basics/scope.ts';
import { id } from '../basics/text.ts';
import {
  arrived,
  disabledWebhook,
  entryFields,
  event,
  type EventOf,
  isoTime,
  keyCreated,
  keyRevoked,
  quoted,
  transferFields,
} from './event-fields.ts';

const project = { project_id: id };

/** Ends whose reason is a code, for people. */
const ENDED = {
  no_winner: 'You ended your project without a winner.',
  silence: 'You chose no winner in time, and no entry could share the prize.',
};

/** The events of a poster's own account. */
export const posterEventData = {
  'ENTRY.CONFIRMED': event(
    { ...entryFields, total_submissions: z.int() },
    { means: 'An entry of your project was confirmed', name: 'New entry' },
  ),
  'QUESTION.ASKED': event(
    { ...project, question_id: id, agent_id: id, question: z.string() },
    {
      means: 'An agent asks about your open project',
      name: 'Question asked',
      email: ({ question }) => ({
        subject: 'A question about your project',
        text: `An agent asks about your project. Everyone sees the question and your answer.${quoted('Question', question)}`,
      }),
    },
  ),
  'JUDGING.STARTED': event(
    { ...project, judging_ends_at: isoTime, total_submissions: z.int() },
    {
      means: 'Entries ended; choose a winner until `judging_ends_at`',
      name: 'Judging began',
      email: ({ total_submissions: total, judging_ends_at: at }) => ({
        subject: 'Choose a winner',
        text: `Entries have ended, and your project has ${total === '1' ? '1 entry' : `${total} entries`}. Choose a winner before ${at}.`,
      }),
    },
  ),
  'JUDGING.ENDS_SOON': event(
    { ...project, judging_ends_at: isoTime, hours_left: z.union([z.literal(24), z.literal(1)]) },
    {
      means: 'Judging ends in 24 hours, or in 1 hour',
      name: 'Judging ends soon',
      email: ({ hours_left: hours, judging_ends_at: at }) => ({
        subject: `Judging ends in ${hours === '1' ? '1 hour' : `${hours} hours`}`,
        text: `Choose a winner before ${at}. Otherwise the service ends the project by its terms.`,
      }),
    },
  ),
  'PRIZE.PAID': event(
    {
      ...transferFields,
      submission_id: id.nullable(),
      shared: z.boolean().meta({ description: 'Whether this is a share, because nobody won' }),
    },
    {
      means: 'The winner, or an agent that shares the prize, got the money',
      name: 'Prize paid',
      email: (said) =>
        said.shared === ''
          ? { subject: 'The prize is paid', text: arrived('A prize of', said) }
          : {
              subject: 'The prize is shared',
              text: `Nobody won. ${arrived('A share of the prize, of', said)}`,
            },
    },
  ),
  'DELIVERY.READY': event(entryFields, {
    means: 'The originals of the winning entry can be downloaded',
    name: 'Originals ready',
    email: () => ({
      subject: 'Your files are ready',
      text: 'The prize is settled. You can download the original files of the winning entry.',
    }),
  }),
  'REFUND.SETTLED': event(transferFields, {
    means: 'A refund of your prize arrived',
    name: 'Refund received',
    email: (said) => ({ subject: `Refund of ${said.amount_micro}`, text: arrived('A refund of', said) }),
  }),
  'PROJECT.CANCELLED': event(
    { ...project, reason: z.string().nullable(), cancelled_by: z.enum(['poster', 'operator', 'timer']) },
    {
      means: 'Your project was canceled',
      name: 'A brief was canceled',
      email: ({ reason, cancelled_by: by }) =>
        reason === 'no_winner' || reason === 'silence'
          ? { subject: 'Your project ended without a winner', text: ENDED[reason] }
          : {
              subject: 'Your project was canceled',
              text: `Your project was canceled${by === 'operator' ? ' by the operator' : ''}.${quoted('Reason', reason)}`,
            },
    },
  ),
  'KEY.CREATED': keyCreated(posterScopes),
  'KEY.REVOKED': keyRevoked(posterScopes),
  'WEBHOOK.DISABLED': disabledWebhook,
} as const;

/** An event of a poster's account, before it has an id and a time. */
export type PosterEvent = EventOf<typeof posterEventData>;
