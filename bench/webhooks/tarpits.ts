import type { Row } from '../report.ts';
import { interleaved, median, ratios } from '../statistics.ts';
import { percentile } from './search.ts';
import { webhookLogs, type WebhookWorld } from './webhooks-world.ts';

// Tarpits accept a request and never respond. This measures how much they delay the other endpoints.

const ENDPOINTS = 1_000;
const LEAST_NOISE = 1.1;

/** Selects the tarpits. Odd endpoints never are tarpits, and only odd endpoints are measured. */
const TARPITS: Record<string, (n: number) => boolean> = {
  none: () => false,
  again: () => false,
  one: (n) => n === 500,
  half: (n) => n % 2 === 0,
};

export async function measureTarpits(world: WebhookWorld, rounds: number): Promise<Row[]> {
  const sender = await world.startPart('worker');
  const p99 = (isTarpit: (n: number) => boolean) => async () => {
    // New webhooks, so that no endpoint is known to be slow.
    await world.subscribe(ENDPOINTS, (n) => ({ host: `s-${n}`, behavior: isTarpit(n) ? 'tarpit' : 'ok' }));
    const event = await world.announce();
    await world.untilReached(ENDPOINTS);
    const { at } = await world.arrivals();
    // Waits until the tarpits have timed out and moved to the slow lane.
    await world.untilWritten();
    const others = Array.from(at, (time) => time - event.at).filter((_, n) => n % 2 === 1);
    return percentile(others, 0.99);
  };
  const measured = await interleaved(
    rounds,
    Object.fromEntries(Object.entries(TARPITS).map(([name, isTarpit]) => [name, p99(isTarpit)])),
  );
  await sender.running.kill('SIGTERM');
  const said = webhookLogs([sender]);
  if (said) throw new Error(`the sender logged:\n${said}`);
  const { none = [], again = [], one = [], half = [] } = measured;
  // Either measurement can be slower, so take the larger ratio. In few rounds, both can be equal by chance.
  const noise = Math.max(LEAST_NOISE, ...ratios(again, none).map((ratio) => Math.max(ratio, 1 / ratio)));
  const row = (what: string, values: number[], aim: Row['aim']): Row => ({
    what: `p99 from event to delivery, ${ENDPOINTS} endpoints: ${what}`,
    aim,
    ratios: ratios(values, none),
    absolute: `${Math.round(median(values))} ms : ${Math.round(median(none))} ms`,
  });
  return [
    row('no tarpits : no tarpits, the noise', again, null),
    row('one tarpit : none', one, { atMost: Number(noise.toFixed(2)) }),
    row('half of them tarpits : none', half, { atMost: 1.5 }),
  ];
}
