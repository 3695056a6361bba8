import assert from 'node:assert/strict';
import type { Answer } from '../clients/client.ts';
import { NO_LIMITS } from '../worlds/shared-service.ts';
import { type PreparedWorldOptions, prepareWorld, untilKilled } from './service-processes.ts';

export type CrashWorld = Awaited<ReturnType<typeof crashWorld>>;

/**
 * Starts a service that a test kills and starts again, at the same URL, on what outlives its processes. Call it at the
 * top of the file.
 */
export async function crashWorld({ env = {}, ...options }: PreparedWorldOptions = {}) {
  const ground = await prepareWorld({
    ...options,
    env: { ...NO_LIMITS, ...env },
    paymentTimes: { waitMs: 5_000, leaseMs: 500 },
    inspectionTimes: { waitMs: 5_000, leaseMs: 500, resumeAfterMs: 1_000 },
  });
  let service = await ground.start();
  const { url } = service;
  return {
    ...ground,
    url,
    market: { url, mintUsdc: ground.mintUsdc },
    crashAt: (...point: Parameters<typeof service.crashAt>) => service.crashAt(...point),
    /** Sends requests until one crashes the process. */
    untilKilled: (send: () => Promise<Answer>) => untilKilled(service, send),
    /** Waits until the process has crashed. */
    async killed(): Promise<void> {
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
    },
    async restart(): Promise<void> {
      service = await ground.start(Number(new URL(url).port));
    },
  };
}
