import { Counter, Gauge, type Registry } from 'prom-client';
import type { Replicas } from '../../ports/database.ts';

/** Registers the replicas and the reads by their source. `read` updates the registry. */
export function createReplicaMetrics(registry: Registry, replicas: Replicas): { read(): void } {
  const registers = [registry];
  const up = new Gauge({
    name: 'concours_replica_up',
    help: '1 while a replica of DATABASE_READ_URL is read.',
    labelNames: ['replica'],
    registers,
  });
  const lag = new Gauge({
    name: 'concours_replica_lag_seconds',
    help: 'Age of the oldest WAL that a replica has not replayed, at most 60 s. Missing while it does not answer.',
    labelNames: ['replica'],
    registers,
  });
  const reads = new Counter({
    name: 'concours_reads_total',
    help: 'Reads that a replica may answer, by their source: replica or primary.',
    labelNames: ['source'],
    registers,
  });
  const fallbacks = new Counter({
    name: 'concours_read_fallbacks_total',
    help: 'Reads that the primary answered instead: no replica was current (unavailable), it lacked the newest WAL (behind), or its read failed or found nothing (failed).',
    labelNames: ['reason'],
    registers,
  });
  return {
    read() {
      up.reset();
      lag.reset();
      for (const { name, state, lagMs } of replicas.status()) {
        up.set({ replica: name }, state === 'good' ? 1 : 0);
        if (state !== 'away') lag.set({ replica: name }, lagMs / 1000);
      }
      reads.reset();
      for (const [source, count] of Object.entries(replicas.reads())) reads.inc({ source }, count);
      fallbacks.reset();
      for (const [reason, count] of Object.entries(replicas.fallbacks())) fallbacks.inc({ reason }, count);
    },
  };
}
