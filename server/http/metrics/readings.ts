import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';

/** The value of a metric, with its labels. */
export type Reading = [name: string, value: number, labels?: Record<string, string>];

/** A part that is read when Prometheus asks. `metrics`: the help text of each, and its labels. */
export type Source = {
  metrics: Record<string, [help: string, ...labels: string[]]>;
  read(): Promise<Reading[]>;
  /** The metrics while it does not answer; none without this. */
  failed?(error: unknown): Reading[];
};

/** The longest time that one part may take. Prometheus waits 10 s by default, and after that shows nothing at all. */
const READ_MS = 3_000;

/**
 * Registers the metrics of a source; the name of a counter ends in `_total`. The function that it returns reads the source,
 * and never rejects: without an answer within 3 s, the metrics are missing.
 */
export function registerSource(registry: Registry, { metrics, read, failed = () => [] }: Source): () => Promise<void> {
  const known = new Map(
    Object.entries(metrics).map(([name, [help, ...labelNames]]) => {
      const options = { name, help, labelNames, registers: [registry] };
      return [name, name.endsWith('_total') ? new Counter(options) : new Gauge(options)];
    }),
  );
  return async () => {
    const readings = await bounded(read).catch(failed);
    // No `await` from here on, so that a concurrent reader never sees half of the values.
    for (const metric of known.values()) {
      metric.reset();
      // A metric without labels is 0 after its reset.
      metric.remove({});
    }
    for (const [name, value, labels = {}] of readings) known.get(name)?.inc(labels, value);
  };
}

async function bounded<T>(read: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(READ_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${READ_MS} ms`);
  });
  late.catch(() => {});
  return await Promise.race([read(), late]).finally(() => over.abort());
}
