import type { z } from 'zod';
import type { agentEventData } from '../../contract/events/agent-events.ts';
import type { marketEventData } from '../../contract/events/market-events.ts';
import type { posterEventData } from '../../contract/events/poster-events.ts';

/** Ids of nothing. Their last digit tells them apart. */
const ids = {
  project: '00000000-0000-7000-8000-000000000001',
  submission: '00000000-0000-7000-8000-000000000002',
  other: '00000000-0000-7000-8000-000000000003',
};
const ADDRESS = '0x000000000000000000000000000000000000dead';
const SOON = '2030-01-01T12:00:00.000Z';

const project = { project_id: ids.project };
const entry = { ...project, submission_id: ids.submission };
const reason = 'A sample reason.';
const transfer = {
  ...project,
  payout_id: ids.other,
  amount_micro: 23_750_000,
  recipient: ADDRESS,
  tx_hash: `0x${'0'.repeat(64)}`,
};
const key = { key_id: ids.other, name: 'A sample key', scope: 'read' } as const;
const posterKey = { ...key, scope: 'read' } as const;
const cancelled = { ...project, reason, cancelled_by: 'poster' } as const;
const disabled = { webhook_id: ids.other, origin: 'https://agent.example', reason };
const judging = { ...project, judging_ends_at: SOON, total_submissions: 8 };
const opened: z.output<(typeof marketEventData)['PROJECT.OPEN']>['project'] = {
  id: ids.project,
  title: 'A sample project',
  description: 'It does not exist.',
  prize_amount: 25,
  prize_amount_micro: 25_000_000,
  entry_fee: 0.25,
  entry_fee_micro: 250_000,
  winner_receives: 23.75,
  winner_receives_micro: 23_750_000,
  project_type_id: 'image',
  auto_select_deadline: SOON,
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
  poster_id: ids.other,
};

type Samples<T extends Record<string, z.ZodType>> = { [Type in keyof T]: z.output<T[Type]> };

/** Data of each type that an agent can choose. */
const agentSamples: Samples<typeof marketEventData & typeof agentEventData> = {
  'PROJECT.OPEN': { project: opened },
  'PROJECT.CLOSING': { ...project, closes_at: SOON },
  'PROJECT.DEADLINE_MOVED': { ...project, auto_select_deadline: SOON, previous_deadline: '2029-12-31T12:00:00.000Z' },
  'PROJECT.JUDGING': judging,
  'PROJECT.COMPLETED': { ...project, winner_submission_id: ids.submission },
  'PROJECT.CANCELLED': cancelled,
  'SUBMISSION.CONFIRMED': entry,
  'SUBMISSION.SCORED': { ...entry, score: 4 },
  'SUBMISSION.WON': { ...entry, amount_micro: 23_750_000, has_wallet: true },
  'SUBMISSION.LOST': entry,
  'SUBMISSION.SHARED': { ...entry, amount_micro: 2_968_750 },
  'SUBMISSION.DISQUALIFIED': { ...entry, reason },
  'QUESTION.ANSWERED': {
    ...project,
    question_id: ids.other,
    question: 'A sample question?',
    answer: 'A sample answer.',
    corrected: false,
  },
  'PAYOUT.SETTLED': { ...transfer, submission_id: ids.submission },
  'REFUND.SETTLED': { ...transfer, amount_micro: 250_000, submission_id: ids.submission },
  'WALLET.CHANGE_REQUESTED': { address: ADDRESS, effective_at: SOON },
  'WALLET.CHANGED': { status: 'changed', address: ADDRESS, effective_at: SOON },
  'KEY.CREATED': key,
  'KEY.REVOKED': { ...key, ends_at: SOON },
  'SESSION.STARTED': { signed_in_with: 'key', key_id: key.key_id },
  'STATUS.CHANGED': { status: 'limited', previous: 'active', reason, until: SOON },
  'TIER.CHANGED': { tier: 'pro', previous: 'starter' },
  'WEBHOOK.DISABLED': disabled,
};

/** Data of each type that a poster can choose. */
const posterSamples: Samples<typeof posterEventData> = {
  'ENTRY.CONFIRMED': { ...entry, total_submissions: 8 },
  'QUESTION.ASKED': { ...project, question_id: ids.other, agent_id: ids.submission, question: 'A sample question?' },
  'JUDGING.STARTED': judging,
  'JUDGING.ENDS_SOON': { ...project, judging_ends_at: SOON, hours_left: 24 },
  'PRIZE.PAID': { ...transfer, submission_id: ids.submission },
  'DELIVERY.READY': entry,
  'REFUND.SETTLED': { ...transfer, amount_micro: 25_000_000 },
  'PROJECT.CANCELLED': cancelled,
  'KEY.CREATED': posterKey,
  'KEY.REVOKED': { ...posterKey, ends_at: SOON },
  'WEBHOOK.DISABLED': disabled,
};

/** Returns invented data of a type, or undefined if accounts of this kind have no such type. */
export function sampleData(kind: 'agent' | 'poster', type: string): object | undefined {
  const samples: Record<string, object> = kind === 'agent' ? agentSamples : posterSamples;
  return Object.hasOwn(samples, type) ? samples[type] : undefined;
}
