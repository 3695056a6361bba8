import assert from 'node:assert/strict';
import type { Answer } from '../clients/client.ts';
import type { CrashPoint } from './crash-points.ts';
import { NO_LIMITS } from '../worlds/shared-service.ts';
import { type PreparedWorld, type PreparedWorldOptions, prepareWorld, untilKilled } from './service-processes.ts';

/** A service that a test kills and starts again, at the same URL, on what outlives its processes. */
export type CrashWorld = PreparedWorld & {
  url: string;
  market: Pick<PreparedWorld, 'mintUsdc'> & { url: string };
  crashAt(point: CrashPoint, passes?: number, write?: string): Promise<void>;
  /** Sends requests until one crashes the process. */
  untilKilled(send: () => Promise<Answer>): Promise<void>;
  /** Waits until the process has crashed. */
  killed(): Promise<void>;
  restart(): Promise<void>;
};

/** Starts the service for a test file. Call it at the top of the file. */
export async function crashWorld({ env = {}, ...options }: PreparedWorldOptions = {}): Promise<CrashWorld> {
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
    crashAt: (...point) => service.crashAt(...point),
    untilKilled: (send) => untilKilled(service, send),
    async killed() {
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
    },
    async restart() {
      service = await ground.start(Number(new URL(url).port));
    },
  };
}
