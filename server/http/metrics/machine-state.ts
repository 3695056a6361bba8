import { setTimeout as sleep } from 'node:timers/promises';
import { dependency } from '../../../contract/operator/machine.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Facilitator } from '../../ports/facilitator.ts';
import type { MachineState } from '../../ports/metrics.ts';
import type { Probes } from './health.ts';

// The operator's page reads the state every 10 s. Each reading asks every part, so several pages share one.
const FRESH_MS = 10_000;
// An older state is not shown. The answer then waits for the parts, at most 3 s.
const MOST_MS = 60_000;
const USAGE_MS = 3_000;

type Parts = { clock: Clock; facilitator: Pick<Facilitator, 'usage'>; probes: () => Promise<Probes> };

/**
 * Returns a function that tells which parts answer. It returns what was found last, and asks again in the background, so that
 * a part that hangs does not slow the page down.
 */
export function createMachineState({ clock, facilitator, probes }: Parts): () => Promise<MachineState> {
  let known: MachineState | null = null;
  let asking: Promise<MachineState> | null = null;

  async function ask(): Promise<MachineState> {
    const [parts, keys] = await Promise.all([probes(), keysOf(facilitator)]);
    const found: MachineState['dependencies'] = [];
    for (const name of dependency.options) {
      const probe = parts[name];
      if (probe) found.push({ dependency: name, up: probe.up, seconds: probe.seconds });
    }
    known = { checkedAt: clock.now(), dependencies: found, keys };
    return known;
  }
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };

  return async () => {
    const ageMs = known === null ? Number.POSITIVE_INFINITY : clock.now().getTime() - known.checkedAt.getTime();
    if (known === null || ageMs > MOST_MS) return await askOnce();
    // Probes answer with `up: false` in place of an error, so this never rejects.
    if (ageMs >= FRESH_MS) void askOnce();
    return known;
  };
}

/** The balances come from the node, which may hang. */
async function keysOf({ usage }: Pick<Facilitator, 'usage'>): Promise<MachineState['keys']> {
  if (!usage) return [];
  const late = sleep(USAGE_MS, null, { ref: false });
  const found = await Promise.race([usage().catch(() => null), late]);
  return found?.keys ?? [];
}
