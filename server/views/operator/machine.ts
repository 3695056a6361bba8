import type { Output } from '../../../contract/basics/operation.ts';
import type { overviewOperations } from '../../../contract/operator/overview.ts';
import type { Deps } from '../../deps.ts';
import { countInspecting } from '../../entries/confirmation/public.ts';
import type { JobState, MachineState } from '../../ports/metrics.ts';
import { countDueMail, readLanes } from './machine-queries.ts';

type Machine = Output<typeof overviewOperations.getOverview>['machine'];
type Lanes = Awaited<ReturnType<typeof readLanes>>;

const MOST_EMAILS = 10_000;

/** Returns the state of what the service consists of. The counts come from short index scans. */
export async function machineOf(ctx: Pick<Deps, 'views' | 'clock' | 'processMetrics'>): Promise<Machine> {
  const { views, processMetrics } = ctx;
  const [state, lanes, inspecting, emails] = await Promise.all([
    processMetrics.machine(),
    readLanes(views),
    countInspecting(views),
    countDueMail(views, ctx.clock.now(), MOST_EMAILS),
  ]);
  return {
    checked_at: state.checkedAt,
    dependencies: state.dependencies,
    jobs: processMetrics.jobs().map(jobOf),
    lanes: lanesOf(lanes, state.keys),
    queues: [
      { queue: 'inspections', waiting: inspecting.count, oldest_at: inspecting.oldestAt },
      { queue: 'emails', waiting: emails.count, oldest_at: emails.oldestAt },
    ],
  };
}

function jobOf({ name, everyMs, runningSince, endedAt, failures, failedAt }: JobState): Machine['jobs'][number] {
  return {
    job: name,
    every_seconds: everyMs / 1_000,
    running_since: runningSince,
    ended_at: endedAt,
    failures,
    failed_at: failedAt,
  };
}

/** The keys of this process, and keys whose lanes other processes have used. A key without a lane was never used. */
function lanesOf(lanes: Lanes, keys: MachineState['keys']): Machine['lanes'] {
  const held = new Map(lanes.map(({ address, heldUntil }) => [address, heldUntil]));
  const own = keys.map(({ address, gasWei, usable }) => ({
    address,
    held_until: held.get(address.toLowerCase()) ?? null,
    gas_wei: gasWei === null ? null : gasWei.toString(),
    usable,
  }));
  const known = new Set(keys.map(({ address }) => address.toLowerCase()));
  const others = lanes.filter(({ address }) => !known.has(address));
  return [
    ...own,
    ...others.map(({ address, heldUntil }) => ({ address, held_until: heldUntil, gas_wei: null, usable: null })),
  ];
}
