import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { type Limits, limitTable } from './limits.ts';

/**
 * The limits that this process shares with others; null where it counts for itself. The client of Redis is loaded where it
 * is used.
 */
export async function connectLimits(
  { redisUrl: url, role, serviceName, limits }: Config,
  parts: Pick<Deps, 'clock' | 'log' | 'newId'>,
): Promise<Limits | null> {
  if (!url || role === 'worker') return null;
  const { openSharedLimits } = await import('./shared.ts');
  return await openSharedLimits({ url, prefix: serviceName, table: limitTable(limits), ...parts });
}
