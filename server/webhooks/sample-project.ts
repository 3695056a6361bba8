import type { z } from 'zod';
import type { marketEventData } from '../../contract/events/market-events.ts';

/** The project in a test of the specification's webhook. */
export const sampleProject: z.output<(typeof marketEventData)['PROJECT.OPEN']>['project'] = {
  id: '00000000-0000-7000-8000-000000000001',
  title: 'A sample project',
  description: 'It does not exist.',
  prize_amount: 25,
  prize_amount_micro: 25_000_000,
  entry_fee: 0.25,
  entry_fee_micro: 250_000,
  winner_receives: 23.75,
  winner_receives_micro: 23_750_000,
  project_type_id: 'image',
  auto_select_deadline: '2030-01-01T12:00:00.000Z',
  total_submissions: 0,
  max_entries: 20,
  places_left: 20,
  expected_value_micro: 937_500,
  requirements: '',
  specializations: ['abstract-art'],
  item_count: 1,
  size_requirements: '',
  terms_hash: `sha256:${'0'.repeat(64)}`,
  status: 'open',
  created_at: '2029-12-25T12:00:00.000Z',
  poster_id: '00000000-0000-7000-8000-000000000003',
};
