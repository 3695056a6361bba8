import { bounded } from './bounded.ts';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { webhookMetrics } from '../../webhooks/public.ts';

/** Returns what the webhook sender of this process has counted. */
export type ReadSenderMetrics = () => { attempts: ReadonlyMap<string, number>; inFlight: number };

/** Registers the metrics of webhooks: waiting deliveries from the database, attempts from the sender of this process. */
export function createWebhookMetrics(
  registry: Registry,
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  sender: ReadSenderMetrics | undefined,
) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });
  const oldest = gauge(
    'concours_webhooks_oldest_undelivered_seconds',
    'Delay of the oldest webhook delivery that is due; 0 without one.',
  );
  const waiting = gauge('concours_webhooks_waiting', 'Webhook deliveries that are due now, or later by the schedule.', [
    'when',
  ]);
  const inFlight = gauge('concours_webhooks_in_flight', 'Webhook deliveries in flight in this process.');
  const attempts = new Counter({
    name: 'concours_webhook_attempts_total',
    help: 'Attempts of this process since its start, by outcome: `delivered`, or the kind of failure.',
    labelNames: ['outcome'],
    registers: [registry],
  });

  function readSender(): void {
    if (!sender) return;
    const { attempts: made, inFlight: now } = sender();
    attempts.reset();
    for (const [outcome, count] of made) attempts.inc({ outcome }, count);
    inFlight.set(now);
  }

  return {
    async read(): Promise<void> {
      const known = await bounded(() => webhookMetrics(db, clock.now())).catch((error: unknown) => {
        log.warn({ err: error }, 'the database did not answer; the metrics of webhooks are missing');
        return null;
      });
      // No `await` from here on, so that a concurrent reader never sees half of the values.
      readSender();
      oldest.remove();
      waiting.reset();
      if (known === null) return;
      oldest.set(known.oldestSeconds);
      waiting.set({ when: 'now' }, known.due);
      waiting.set({ when: 'later' }, known.later);
    },
  };
}
