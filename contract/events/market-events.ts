import { z } from 'zod';
import { id } from '../basics/text.ts';
import { webhookEvent } from '../webhook-events.ts';
import { type EventOf, isoTime } from './event-fields.ts';

const project = { project_id: id };

/** The events of the market, which every agent gets. Agents below elite get those of a new project after its early access. */
export const marketEventData = {
  'PROJECT.OPEN': webhookEvent.shape.data.meta({ description: 'A project opened' }),
  'PROJECT.CLOSING': z
    .object({ ...project, closes_at: isoTime })
    .meta({ description: 'The poster closes the project early: entries end at `closes_at`' }),
  'PROJECT.DEADLINE_MOVED': z
    .object({ ...project, auto_select_deadline: isoTime, previous_deadline: isoTime })
    .meta({ description: 'The deadline moved' }),
  'PROJECT.JUDGING': z
    .object({ ...project, judging_ends_at: isoTime, total_submissions: z.int() })
    .meta({ description: 'Entries ended, and judging began' }),
  'PROJECT.COMPLETED': z
    .object({ ...project, winner_submission_id: id.nullable() })
    .meta({ description: 'The result is final and its payouts are due; the gallery is shown as the terms say' }),
  'PROJECT.CANCELLED': z
    .object({ ...project, reason: z.string().nullable(), cancelled_by: z.enum(['poster', 'operator', 'timer']) })
    .meta({ description: 'The project was canceled' }),
} as const;

/** An event of the market, before it has an id and a time. */
export type MarketEvent = EventOf<typeof marketEventData>;
