import { Gauge, Registry } from 'prom-client';
import { bounded } from './bounded.ts';
import type { Deps } from '../../deps.ts';
import { countInspecting } from '../../entries/public.ts';
import { newestCheck, recoveryNeeded } from '../../ledger/public.ts';
import { countUndecided, unclaimedMicro, unexplainedMicro } from '../../payments/public.ts';
import { unsettledPayouts } from '../../reconciliation/public.ts';

type MetricDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

/** Metrics that are read from the database: `read` updates `registry`. */
export type DatabaseMetrics = { registry: Registry; read(): Promise<void> };

/** Creates the metrics of the ledger, payments, payouts, and inspections. */
export function createDatabaseMetrics({ db, clock, log }: MetricDeps): DatabaseMetrics {
  const registry = new Registry();
  const up = new Gauge({
    name: 'concours_database_up',
    help: '1 when the database answered; without it the other metrics are missing.',
    registers: [registry],
  });
  const groups = [
    createLedgerMetrics(registry, clock.now()),
    createRecoveryMetrics(registry),
    createPaymentMetrics(registry),
    createInspectionMetrics(registry),
  ];
  return {
    registry,
    async read() {
      const known = await bounded(() => readDatabase(db)).catch((error: unknown) => {
        log.warn({ err: error }, 'the database did not answer; its metrics are missing');
        return null;
      });
      // No `await` from here on, so that a concurrent reader never sees half of the values.
      up.set(known === null ? 0 : 1);
      for (const { clear, set } of groups) {
        clear();
        if (known !== null) set(known, clock.now());
      }
    },
  };
}

async function readDatabase(db: Deps['db']) {
  const [undecided, ledgerCheck, payouts, inspecting, needed, strays, unexplained] = await Promise.all([
    countUndecided(db),
    newestCheck(db),
    unsettledPayouts(db),
    countInspecting(db),
    recoveryNeeded(db),
    unclaimedMicro(db),
    unexplainedMicro(db),
  ]);
  return { undecided, ledgerCheck, payouts, inspecting, needed, strays, unexplained };
}

type DatabaseReading = Awaited<ReturnType<typeof readDatabase>>;
/** Metrics that are cleared together, and set when the database answered. */
type MetricGroup = { clear(): void; set(known: DatabaseReading, now: Date): void };

function createLedgerMetrics(registry: Registry, startedAt: Date): MetricGroup {
  const mismatch = gauge(
    registry,
    'concours_ledger_mismatch',
    '1 while the newest check of the ledger found a mismatch: payouts are stopped.',
  );
  const age = gauge(
    registry,
    'concours_ledger_check_age_seconds',
    'Age of the newest check of the ledger, made hourly; without one, the age of this process.',
  );
  return {
    clear() {
      mismatch.remove();
      age.remove();
    },
    set({ ledgerCheck }, now) {
      mismatch.set(ledgerCheck === null || (ledgerCheck.balanced && ledgerCheck.chainMatches) ? 0 : 1);
      age.set(secondsBetween(ledgerCheck?.checkedAt ?? startedAt, now));
    },
  };
}

function createRecoveryMetrics(registry: Registry): MetricGroup {
  const isNeeded = gauge(
    registry,
    'concours_recovery_needed',
    '1 while the database is older than the chain: no money moves until a recovery has run.',
  );
  const strays = gauge(
    registry,
    'concours_stray_microdollars',
    'Sum that the treasury received and that belongs to no payment.',
  );
  const unexplained = gauge(
    registry,
    'concours_unexplained_microdollars',
    'Sum that left the treasury without a payout and that the operator adopted.',
  );
  return {
    clear() {
      for (const each of [isNeeded, strays, unexplained]) each.remove();
    },
    set(known) {
      isNeeded.set(known.needed === null ? 0 : 1);
      strays.set(known.strays);
      unexplained.set(known.unexplained);
    },
  };
}

function createPaymentMetrics(registry: Registry): MetricGroup {
  const undecided = gauge(
    registry,
    'concours_payments_undecided',
    'Payments whose outcome is not final, by kind and state.',
    ['kind', 'state'],
  );
  const oldest = gauge(
    registry,
    'concours_oldest_undecided_payment_seconds',
    'Age of the oldest payment that is still settling; 0 without one.',
  );
  const payouts = gauge(
    registry,
    'concours_payouts_unsettled',
    'Payouts and refunds that have not settled, by state.',
    ['state'],
  );
  const payoutsMicro = gauge(
    registry,
    'concours_payouts_unsettled_microdollars',
    'Sum of the payouts and refunds that have not settled, by state.',
    ['state'],
  );
  return {
    clear() {
      for (const each of [undecided, payouts, payoutsMicro]) each.reset();
      oldest.remove();
    },
    set({ undecided: payments, payouts: unsettled }, now) {
      for (const { kind, state, count } of payments) undecided.set({ kind, state }, count);
      const settling = payments.filter(({ state }) => state === 'settling');
      oldest.set(Math.max(0, ...settling.map(({ oldestAt }) => secondsBetween(oldestAt, now))));
      for (const { state, count, amountMicro } of unsettled) {
        payouts.set({ state }, count);
        payoutsMicro.set({ state }, amountMicro);
      }
    },
  };
}

function createInspectionMetrics(registry: Registry): MetricGroup {
  const waiting = gauge(
    registry,
    'concours_inspections_waiting',
    'Pictures whose confirmation was requested and not decided.',
  );
  const oldest = gauge(
    registry,
    'concours_oldest_inspection_seconds',
    'Age of the oldest confirmation request whose picture is not inspected; 0 without one.',
  );
  return {
    clear() {
      waiting.remove();
      oldest.remove();
    },
    set({ inspecting: { count, oldestAt } }, now) {
      waiting.set(count);
      oldest.set(oldestAt === null ? 0 : Math.max(0, secondsBetween(oldestAt, now)));
    },
  };
}

function gauge<Label extends string>(registry: Registry, name: string, help: string, labelNames: Label[] = []) {
  return new Gauge<Label>({ name, help, labelNames, registers: [registry] });
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}
