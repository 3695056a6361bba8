import { Counter, Gauge, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { webhookFigures } from '../../webhooks/history/public.ts';

/** The metrics of the sender in this process. */
export type SenderFigures = () => { attempts: ReadonlyMap<string, number>; inFlight: Record<string, number> };

/** Of the webhooks: what waits, from the database; what was attempted, by the process that is asked. */
export function createWebhookFigures(
  registry: Registry,
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  sender: SenderFigures | undefined,
) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });
  const oldest = gauge(
    'concours_webhooks_oldest_undelivered_seconds',
    'How long the webhook delivery that waits longest is overdue; 0 without one.',
  );
  const waiting = gauge(
    'concours_webhooks_waiting',
    'Webhook deliveries that wait in a lane: due now, or later by the schedule of retries.',
    ['lane', 'when'],
  );
  const parts = gauge(
    'concours_webhooks_fan_outs_open',
    'Parts of fan-outs that are due and not done; an event has 10.',
  );
  const reached = gauge('concours_webhooks_fan_outs_reached', 'Subscriptions that the open parts have come past.');
  const inFlight = gauge('concours_webhooks_in_flight', 'Deliveries under way in this process, by lane.', ['lane']);
  const attempts = new Counter({
    name: 'concours_webhook_attempts_total',
    help: 'Attempts of this process since its start, by `delivered` or how they failed.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const ofDatabase = [oldest, parts, reached];

  function tellOfSender(): void {
    if (!sender) return;
    const { attempts: made, inFlight: now } = sender();
    attempts.reset();
    for (const [outcome, count] of made) attempts.inc({ outcome }, count);
    for (const [lane, count] of Object.entries(now)) inFlight.set({ lane }, count);
  }

  return {
    async read(): Promise<void> {
      const known = await webhookFigures(db, clock.now()).catch((error: unknown) => {
        log.warn({ err: error }, 'metrics of webhooks without the database');
        return null;
      });
      // All at once, without waiting in between: somebody else may be reading.
      tellOfSender();
      for (const each of ofDatabase) each.remove();
      waiting.reset();
      if (known === null) return;
      oldest.set(known.oldestSeconds);
      parts.set(known.fanOuts.open);
      reached.set(known.fanOuts.reached);
      for (const { lane, due, later } of known.lanes) {
        waiting.set({ lane, when: 'now' }, due);
        waiting.set({ lane, when: 'later' }, later);
      }
    },
  };
}
