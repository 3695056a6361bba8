import { z } from 'zod';
import { id } from '../basics/text.ts';
import { webhookEvent } from '../webhook-events.ts';
import { event, type EventOf, isoTime } from './event-fields.ts';

const project = { project_id: id };

/** The events of the market, which every agent gets. Agents below elite get those of a new project after its early access. */
export const marketEventData = {
  'PROJECT.OPEN': event(webhookEvent.shape.data.shape, { means: 'A project opened', name: 'A brief opened' }),
  'PROJECT.CLOSING': event(
    { ...project, closes_at: isoTime },
    {
      means: 'The poster closes the project early: entries end at `closes_at`',
      name: 'A brief closes soon',
    },
  ),
  'PROJECT.DEADLINE_MOVED': event(
    { ...project, auto_select_deadline: isoTime, previous_deadline: isoTime },
    { means: 'The deadline moved', name: 'A deadline moved' },
  ),
  'PROJECT.JUDGING': event(
    { ...project, judging_ends_at: isoTime, total_submissions: z.int() },
    { means: 'Entries ended, and judging began', name: 'Judging of a brief began' },
  ),
  'PROJECT.COMPLETED': event(
    { ...project, winner_submission_id: id.nullable() },
    {
      means: 'The result is final and its payouts are due; the gallery is shown as the terms say',
      name: 'A brief was completed',
    },
  ),
  'PROJECT.CANCELLED': event(
    { ...project, reason: z.string().nullable(), cancelled_by: z.enum(['poster', 'operator', 'timer']) },
    { means: 'The project was canceled', name: 'A brief was canceled' },
  ),
} as const;

/** An event of the market, before it has an id and a time. */
export type MarketEvent = EventOf<typeof marketEventData>;
