import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { type Limits, limitTable } from './limits.ts';

/**
 * Connects to the limits that several processes share. Returns `null` without `REDIS_URL` and for a worker. The Redis
 * client is loaded only when it is used, because loading it delays the start.
 *
 * @throws Error when Redis does not answer
 */
export async function connectLimits(
  { redisUrl: url, role, serviceName, limits }: Config,
  { log }: { log: Logger },
): Promise<Limits | null> {
  if (!url || role === 'worker') return null;
  const { openSharedLimits } = await import('./redis.ts');
  return await openSharedLimits({ url, prefix: serviceName, table: limitTable(limits), log });
}
