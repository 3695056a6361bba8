import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { asPoster, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, type OpenProject, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Every answer that shows a cancelled project says why, when, and by whom it was cancelled.

const world = await startWorld({ env: { LIMIT_AGENT_READS_PER_MINUTE: '1000' } });
const { url, operatorKey, clock, errors } = world;

type Cancellation = { cancel_reason: string | null; cancelled_at: string | null; cancelled_by: string | null };

const cancellationOf = ({ cancel_reason, cancelled_at, cancelled_by }: Cancellation): Cancellation => ({
  cancel_reason,
  cancelled_at,
  cancelled_by,
});

/** The cancellation in the agents' detail, the public detail, the poster's project, and the operator's list. */
async function toldOf({ id, poster }: OpenProject): Promise<Cancellation[]> {
  const { key } = await registerAgent(url);
  const reads = [
    call(url, 'GET', `/agents/projects/${id}`, { key }),
    call(url, 'GET', `/projects/${id}`),
    asPoster(world, { id, poster }, ['GET', '']),
    call(url, 'GET', `/operator/projects?search=${id}`, { key: operatorKey }),
  ];
  const answers = (await Promise.all(reads)).map((answer) => expectStatus(answer, 200).body.data);
  return answers.map(({ project, projects }) => cancellationOf(project ?? projects[0]));
}

const operatorCancels = (id: string, reason: string) =>
  call(url, 'POST', `/operator/projects/${id}/cancel`, { key: operatorKey, body: { reason } });

describe('a cancelled project', () => {
  it('shows the words of its poster', async () => {
    const project = await openProject(world);
    const none = { cancel_reason: null, cancelled_at: null, cancelled_by: null };
    assert.deepEqual(await toldOf(project), [none, none, none, none]);
    const at = clock.now();
    await clock.at(at, async () =>
      expectStatus(await asPoster(world, project, ['POST', '/cancel', { reason: 'No budget' }]), 200),
    );
    const told = { cancel_reason: 'No budget', cancelled_at: at.toISOString(), cancelled_by: 'poster' };
    assert.deepEqual(await toldOf(project), [told, told, told, told]);
  });

  it('shows the words of the operator, also in the history of each agent', async () => {
    const project = await openProject(world);
    const entrant = await enter(world, project);
    const other = await openProject(world);
    const at = clock.now();
    await clock.at(at, async () => expectStatus(await operatorCancels(project.id, 'A stolen brief'), 200));
    const told = { cancel_reason: 'A stolen brief', cancelled_at: at.toISOString(), cancelled_by: 'operator' };
    assert.deepEqual(await toldOf(project), [told, told, told, told]);
    const { submissions } = (await call(url, 'GET', '/agents/me/history', { key: entrant.key })).body.data;
    assert.deepEqual(
      submissions.map((entry: Record<string, unknown>) => [
        entry['status'],
        entry['cancelReason'],
        entry['cancelledAt'],
        entry['cancelledBy'],
      ]),
      [['cancelled', 'A stolen brief', at.toISOString(), 'operator']],
    );
    // A second cancellation changes nothing.
    codeIs(await operatorCancels(project.id, 'Another reason'), 409, 'PROJECT_STATE_CONFLICT');
    assert.deepEqual((await toldOf(project))[0], told);
    assert.equal((await toldOf(other))[0]?.cancelled_by, null);
  });

  it('shows that the service cancelled it when nobody entered', async () => {
    const project = await openProject(world, { deadline: new Date(clock.now().getTime() + 60_000) });
    clock.offsetMs += 120_000;
    // The four reads run at the same moment, so some of them may come just before the cancellation.
    const [told, ...others] = await until('it is cancelled', async () => {
      const each = await toldOf(project);
      return each.every(({ cancelled_by }) => cancelled_by) ? each : null;
    });
    assert.equal(told!.cancelled_by, 'timer');
    assert.match(told!.cancel_reason!, /\w/);
    assert.deepEqual(others, [told, told, told]);
  });
});

it('the service logged no errors', () => assert.deepEqual(errors, []));
