import { Counter, type Registry } from 'prom-client';

/** `unavailable`: an original is missing or changed. `broken_off`: the client left, or the store failed. */
export type DownloadOutcome = 'sent' | 'unavailable' | 'broken_off';

/** Counts the downloads of originals in this process. */
export function createDownloadCounts(registry: Registry): (outcome: DownloadOutcome) => void {
  const downloads = new Counter({
    name: 'concours_original_downloads_total',
    help: 'Downloads of original files, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // So that an alarm on growth sees the first one.
  for (const outcome of ['sent', 'unavailable', 'broken_off']) downloads.inc({ outcome }, 0);
  return (outcome) => downloads.inc({ outcome });
}
