import type { Deps } from '../../deps.ts';
import { countInspecting } from '../../entries/public.ts';
import { newestCheck, recoveryNeeded, STRAY, UNEXPLAINED } from '../../ledger/public.ts';
import { countUndecided } from '../../payments/public.ts';
import { unsettledPayouts } from '../../reconciliation/public.ts';
import { webhookMetrics } from '../../webhooks/public.ts';
import type { StoreMetrics } from '../limits/limits.ts';
import type { Reading, Source } from './readings.ts';

const DATABASE_METRICS: Source['metrics'] = {
  concours_database_up: ['1 when the database answered; without it, the metrics that are read from it are missing.'],
  concours_ledger_mismatch: ['1 while the newest check of the ledger found a mismatch: payouts are stopped.'],
  concours_ledger_check_age_seconds: [
    'Age of the newest check of the ledger, made hourly; without one, the age of this process.',
  ],
  concours_recovery_needed: ['1 while the database is older than the chain: no money moves until a recovery has run.'],
  concours_stray_microdollars: ['Sum that the treasury received and that belongs to no payment.'],
  concours_unexplained_microdollars: ['Sum that left the treasury without a payout and that the operator adopted.'],
  concours_payments_undecided: ['Payments whose outcome is not final, by kind and state.', 'kind', 'state'],
  concours_oldest_undecided_payment_seconds: ['Age of the oldest payment that is still settling; 0 without one.'],
  concours_payouts_unsettled: ['Payouts and refunds that have not settled, by state.', 'state'],
  concours_payouts_unsettled_microdollars: ['Sum of the payouts and refunds that have not settled, by state.', 'state'],
  concours_inspections_waiting: ['Pictures whose confirmation was requested and not decided.'],
  concours_oldest_inspection_seconds: [
    'Age of the oldest confirmation request whose picture is not inspected; 0 without one.',
  ],
  concours_webhooks_oldest_undelivered_seconds: ['Delay of the oldest webhook delivery that is due; 0 without one.'],
  concours_webhooks_waiting: ['Webhook deliveries that are due now, or later by the schedule.', 'when'],
};

/** The ledger, payments, payouts, inspections, and webhooks, from the database. */
export function databaseSource({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Source {
  const startedAt = clock.now();
  const secondsSince = (at: Date) => Math.max(0, (clock.now().getTime() - at.getTime()) / 1000);
  async function readDatabase(): Promise<Reading[]> {
    const [undecided, check, payouts, inspecting, needed, accounts, webhooks] = await Promise.all([
      countUndecided(db),
      newestCheck(db),
      unsettledPayouts(db),
      countInspecting(db),
      recoveryNeeded(db),
      db<{ id: string; micro: number }[]>`
        select id, balance_micro as micro from ledger_accounts where id in (${STRAY}, ${UNEXPLAINED})`,
      webhookMetrics(db, clock.now()),
    ]);
    const balanceOf = (account: string) => accounts.find(({ id }) => id === account)?.micro ?? 0;
    const settling = undecided.filter(({ state }) => state === 'settling');
    return [
      ['concours_database_up', 1],
      ['concours_ledger_mismatch', check === null || (check.balanced && check.chainMatches) ? 0 : 1],
      ['concours_ledger_check_age_seconds', secondsSince(check?.checkedAt ?? startedAt)],
      ['concours_recovery_needed', needed === null ? 0 : 1],
      ['concours_stray_microdollars', balanceOf(STRAY)],
      ['concours_unexplained_microdollars', balanceOf(UNEXPLAINED)],
      ...undecided.map(({ kind, state, count }): Reading => ['concours_payments_undecided', count, { kind, state }]),
      [
        'concours_oldest_undecided_payment_seconds',
        Math.max(0, ...settling.map(({ oldestAt }) => secondsSince(oldestAt))),
      ],
      ...payouts.flatMap(({ state, count, amountMicro }): Reading[] => [
        ['concours_payouts_unsettled', count, { state }],
        ['concours_payouts_unsettled_microdollars', amountMicro, { state }],
      ]),
      ['concours_inspections_waiting', inspecting.count],
      ['concours_oldest_inspection_seconds', inspecting.oldestAt === null ? 0 : secondsSince(inspecting.oldestAt)],
      ['concours_webhooks_oldest_undelivered_seconds', webhooks.oldestSeconds],
      ['concours_webhooks_waiting', webhooks.due, { when: 'now' }],
      ['concours_webhooks_waiting', webhooks.later, { when: 'later' }],
    ];
  }
  return {
    metrics: DATABASE_METRICS,
    read: readDatabase,
    failed(error) {
      log.warn({ err: error }, 'the database did not answer; its metrics are missing');
      return [['concours_database_up', 0]];
    },
  };
}

/** Returns the attempts of the webhook sender of this process, by outcome. */
export type ReadSenderMetrics = () => ReadonlyMap<string, number>;

export const senderSource = (sender: ReadSenderMetrics): Source => ({
  metrics: {
    concours_webhook_attempts_total: [
      'Attempts of this process since its start, by outcome: `delivered`, or the kind of failure.',
      'outcome',
    ],
  },
  async read() {
    return [...sender()].map(([outcome, count]): Reading => ['concours_webhook_attempts_total', count, { outcome }]);
  },
});

/** The keys of the in-process facilitator pay gas. */
export const facilitatorSource = (gasOfKeys: NonNullable<Deps['facilitator']['gasOfKeys']>): Source => ({
  metrics: {
    concours_facilitator_key_gas_ether: [
      'Ether on a facilitator key. Missing while the node does not answer.',
      'address',
    ],
    concours_facilitator_key_usable: [
      '0 while a facilitator key is passed over, because it could not pay the gas of a transaction.',
      'address',
    ],
  },
  async read() {
    return (await gasOfKeys()).flatMap(({ address, gasWei, usable }): Reading[] => [
      ...(gasWei === null
        ? []
        : ([['concours_facilitator_key_gas_ether', Number(gasWei) / 1e18, { address }]] as Reading[])),
      ['concours_facilitator_key_usable', usable ? 1 : 0, { address }],
    ]);
  },
});

/** The Redis in which several processes count requests together. */
export const limitStoreSource = (store: () => StoreMetrics): Source => ({
  metrics: {
    concours_limit_store_up: [
      '0 while Redis does not answer: paid operations and registrations are refused, and each process counts the rest alone.',
    ],
    concours_limit_store_losses_total: ['Times that this process lost Redis since its start.'],
  },
  async read() {
    const { up, losses } = store();
    return [
      ['concours_limit_store_up', up ? 1 : 0],
      ['concours_limit_store_losses_total', losses],
    ];
  },
});
