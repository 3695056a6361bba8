import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../report.ts';
import { lossRow } from './fan-out.ts';
import type { WebhookWorld } from './webhooks-world.ts';

// Kills the only sender repeatedly during a fan-out and starts it again.

/** The maximum number of deliveries that a sender has sent but not yet stored. */
const BATCH = 500;

export type KillOptions = { subscribers: number; everyMs: number; most: number };

export async function measureKills(world: WebhookWorld, { subscribers, everyMs, most }: KillOptions): Promise<Row[]> {
  await world.subscribe(subscribers, (n) => ({ host: `s-${n}` }));
  let sender = await world.startPart('worker');
  const event = await world.announce();
  let kills = 0;
  while (kills < most) {
    await sleep(everyMs);
    if ((await world.reached()) >= subscribers) break;
    await sender.running.kill('SIGKILL');
    kills += 1;
    sender = await world.startPart('worker');
  }
  if (kills === 0) throw new Error(`${subscribers} subscribers were all reached before the first kill`);
  await world.untilReached(subscribers);
  await world.untilWritten();
  const arrivals = await world.arrivals();
  await sender.running.kill('SIGTERM');
  const again = arrivals.counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  const what = `a fan-out to ${subscribers.toLocaleString('en')}, its sender killed ${kills} times`;
  return [
    await lossRow(world, what, event, arrivals),
    {
      what: `${what}: sent again : a batch of ${BATCH} for each kill`,
      aim: { atMost: 1 },
      ratios: [again / (kills * BATCH)],
      absolute: `${again} : ${kills * BATCH}, with the same webhook-id`,
    },
  ];
}
