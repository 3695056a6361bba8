import { randomUUIDv7 } from 'node:crypto';
import { recordEvents } from '../../server/events/record-events.ts';
import { paidUploads } from '../payments.ts';
import type { Row } from '../report.ts';
import { interleaved, median, ratios } from '../statistics.ts';
import type { BenchWorld } from '../bench-world.ts';

const TRANSACTIONS = 50;
const AIM = 0.03;

/**
 * Compares the statement of the log with a paid upload request. A paid entry writes two events, to its agent and to its
 * poster, in the transaction of the confirmation. The confirmation itself, and the upload, are not counted.
 */
export async function measureCost(world: BenchWorld, rounds: number): Promise<Row> {
  const upload = await paidUploads(world, rounds);
  const values = await interleaved(rounds, {
    upload,
    without: () => transactions(world, false),
    with: () => transactions(world, true),
  });
  const { upload: uploads = [], without = [], with: written = [] } = values;
  const cost = written.map((ms, index) => Math.max(0, ms - (without[index] ?? 0)));
  return {
    what: 'the statement of the event log : a paid upload',
    aim: { atMost: AIM },
    ratios: ratios(cost, uploads),
    absolute: `${median(cost).toFixed(2)} ms : ${median(uploads).toFixed(1)} ms`,
  };
}

/** Returns the median time of a transaction that writes a row, with or without the two events. */
async function transactions({ db, agents }: BenchWorld, withEvents: boolean): Promise<number> {
  const agent = agents[0]!.id;
  const entry = { submission_id: randomUUIDv7(), project_id: randomUUIDv7() };
  const times: number[] = [];
  for (let count = 0; count < TRANSACTIONS; count += 1) {
    const startedAt = performance.now();
    await db.begin(async (tx) => {
      // In one round trip, as the confirmation does it.
      await Promise.all([
        tx`update agents set last_active_at = now() where id = ${agent}`,
        withEvents &&
          recordEvents({ newId: randomUUIDv7 }, tx, new Date(), [
            { agent, type: 'SUBMISSION.CONFIRMED', data: entry },
            { poster: agent, type: 'ENTRY.CONFIRMED', data: { ...entry, total_submissions: count } },
          ]),
      ]);
    });
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
