import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { newestFigureCheck } from '../../agents/rankings/public.ts';
import type { Deps } from '../../deps.ts';
import { paymentFigures } from '../../payments/public.ts';
import { unsettledPayouts } from '../../reconciliation/public.ts';
import { type StoreFigures, createLimitFigures } from '../limits/public.ts';
import type { RequestCounts } from './request-counts.ts';
import { createWebhookFigures, type SenderFigures } from './webhook-metrics.ts';

export type Metrics = {
  /** Counts one answered request. */
  request(operation: string, status: number, ms: number): void;
  /** Everything, read now, in the text format of Prometheus. No label names anybody or anything by an id. */
  text(): Promise<string>;
};

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export function createMetrics(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  requests: RequestCounts,
  sender?: SenderFigures,
  limitStore?: () => StoreFigures,
): Metrics {
  const { registry, read } = createFigures(deps);
  const webhooks = createWebhookFigures(registry, deps, sender);
  if (limitStore) createLimitFigures(registry, limitStore);
  return {
    request: (operation, status, ms) => requests.add(operation, status, ms),
    async text() {
      await Promise.all([read(), webhooks.read()]);
      const texts = await Promise.all([processMetrics().metrics(), registry.metrics(), requests.text()]);
      return texts.join('\n');
    },
  };
}

let ofProcess: Registry | null = null;

/** One per process, begun when it is first asked for: they watch garbage collection and the event loop. */
function processMetrics(): Registry {
  if (ofProcess === null) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** What is read from the database when somebody asks. */
function createFigures({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>) {
  const registry = new Registry();
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });
  const up = gauge('concours_database_up', '1 when the database answered; without it the other figures are missing.');
  const mismatch = gauge(
    'concours_ledger_mismatch',
    '1 while the newest check of the ledger found a mismatch: nothing is paid out.',
  );
  const age = gauge(
    'concours_ledger_check_age_seconds',
    'Since the newest check of the ledger; one is made every hour.',
  );
  const figures = gauge(
    'concours_figures_mismatches',
    'Kept figures of agents and rankings that the newest nightly check found to be wrong.',
  );
  const figuresAge = gauge(
    'concours_figures_check_age_seconds',
    'Since the newest check of the figures; one is made every day.',
  );
  const undecided = gauge(
    'concours_payments_undecided',
    'Payments whose outcome is not known for good, by kind and state.',
    ['kind', 'state'],
  );
  const oldest = gauge(
    'concours_oldest_undecided_payment_seconds',
    'Age of the oldest payment that is still settling; 0 without one.',
  );
  const payouts = gauge('concours_payouts_unsettled', 'Payouts and refunds that have not settled, by state.', [
    'state',
  ]);
  const payoutsMicro = gauge('concours_payouts_unsettled_microdollars', 'What they amount to.', ['state']);

  async function read(): Promise<void> {
    const known = await Promise.all([paymentFigures(db), unsettledPayouts(db), newestFigureCheck(db)]).catch(
      (error: unknown) => {
        log.warn({ err: error }, 'metrics without the database');
        return null;
      },
    );
    // All at once, without waiting in between: somebody else may be reading.
    for (const each of [undecided, payouts, payoutsMicro]) each.reset();
    for (const each of [mismatch, age, oldest, figures, figuresAge]) each.remove();
    up.set(known === null ? 0 : 1);
    if (known === null) return;
    const [{ undecided: payments, newestCheck }, unsettled, figureCheck] = known;
    const now = clock.now().getTime();
    const secondsSince = (at: Date) => (now - at.getTime()) / 1000;
    mismatch.set(newestCheck === null || (newestCheck.balanced && newestCheck.chainMatches) ? 0 : 1);
    age.set(newestCheck === null ? Number.NaN : secondsSince(newestCheck.checkedAt));
    figures.set(figureCheck?.mismatches ?? 0);
    figuresAge.set(figureCheck === null ? Number.NaN : secondsSince(figureCheck.finishedAt));
    for (const { kind, state, count } of payments) undecided.set({ kind, state }, count);
    const settling = payments.filter(({ state }) => state === 'settling');
    oldest.set(Math.max(0, ...settling.map(({ oldestAt }) => secondsSince(oldestAt))));
    for (const { state, count, amountMicro } of unsettled) {
      payouts.set({ state }, count);
      payoutsMicro.set({ state }, amountMicro);
    }
  }

  return { registry, read };
}
