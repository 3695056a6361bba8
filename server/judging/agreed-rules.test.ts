import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { HOUR_MS, judgingWorld } from '../../test/support/worlds/judging-world.ts';
import type { Config } from '../config.ts';
import { advanceProjects as advanceAll } from './advance-projects.ts';

// The settings change while projects are open. Each project keeps the rules of its terms.

const { db } = await testDatabase();
const opened = { autoPayoutHoldHours: 2, closeNoticeMinutes: 10, silenceShareCap: 3 } as Config;
const world = await judgingWorld(db, { config: opened });
const { openProject, enter, read, advance, advanceProjects } = world;
// `deps` belongs to this world alone, so the test may change its settings.
const settings = world.deps.config;

const changed = { autoPayoutHoldHours: 48, closeNoticeMinutes: 600, silenceShareCap: 100, confirmGraceSeconds: 90 };

async function afterTheChange<T>(work: () => Promise<T>): Promise<T> {
  const before = { ...settings };
  Object.assign(settings, changed);
  try {
    return await work();
  } finally {
    Object.assign(settings, before);
  }
}

/** Ends the entries and the judging of a project. Returns the notice, the hold, and what is owed. */
async function end(id: string) {
  await world.close(id);
  const { closes_at } = await read(id);
  const noticeMs = Date.parse(closes_at ?? '') - world.at().getTime();
  advance(noticeMs);
  await advanceProjects();
  advance(HOUR_MS);
  await advanceProjects();
  const { result_on_hold: hold } = await read(id);
  const holdMs = Date.parse(hold?.payout_held_until ?? '') - world.at().getTime();
  advance(holdMs);
  await advanceProjects();
  const shares = (await world.owed(id)).filter((line) => line.startsWith('share'));
  return { noticeMinutes: noticeMs / 60_000, holdHours: holdMs / HOUR_MS, share: shares[0]?.split(' ')[1] };
}

describe('a setting that changes while a project is open', () => {
  it('does not change the notice, the hold, and the cap of its terms', async () => {
    const id = await openProject({ judging_hours: 1 });
    await enter(id);
    await enter(id);
    const ended = await afterTheChange(() => end(id));
    assert.deepEqual(ended, { noticeMinutes: 10, holdHours: 2, share: '750000' });
  });

  for (const { named, waitSeconds } of [
    { named: true, waitSeconds: 30 },
    { named: false, waitSeconds: 90 },
  ])
    it(`${named ? 'does not change' : 'changes'} a grace period that terms ${named ? 'name' : 'do not name'}`, async () => {
      const id = await openProject({ judging_hours: 1 });
      if (!named) await db`update projects set confirm_grace_seconds = null where id = ${id}`;
      await enter(id);
      await enter(id, { confirmed: false });
      const { auto_select_deadline: deadline } = await read(id);
      advance(Date.parse(deadline) - world.at().getTime());
      const isOpenAfter = async (seconds: number) => {
        advance(seconds * 1000);
        await advanceProjects();
        return (await read(id)).status === 'open';
      };
      await afterTheChange(async () => {
        assert.equal(await isOpenAfter(0), true);
        assert.equal(await isOpenAfter(waitSeconds - 1), true);
        assert.equal(await isOpenAfter(1), false);
      });
    });

  it('does not let a model judge if the terms do not name it', async () => {
    const id = await openProject({ judging_hours: 1 });
    await enter(id);
    const judged: string[] = [];
    const ai = {} as NonNullable<typeof world.deps.ai>;
    await world.close(id);
    advance(10 * 60_000);
    await advanceAll({ ...world.deps, ai }, undefined, (projectId) => judged.push(projectId));
    advance(HOUR_MS);
    await advanceAll({ ...world.deps, ai }, undefined, (projectId) => judged.push(projectId));
    assert.deepEqual([judged, (await read(id)).result_on_hold?.selection], [[], 'silence']);
  });
});
