import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { afterEach, beforeEach, it } from 'node:test';
import { testDatabase } from '../support/test-database.ts';
import { followSettings, followTiers } from '../../server/webhooks/endpoints/endpoint-changes.ts';
import { OK, REFUSED, senderGround, type Subscriber } from '../support/webhooks/sender-world.ts';

// Subscriptions whose agents filter them, along the cursor of a fan-out.

const { db } = await testDatabase();
const ground = senderGround(db);
const { sent, answer } = ground;

beforeEach(async () => await ground.clear());
afterEach(() => assert.deepEqual(ground.errors, []));

/** An event of a project of 5 USDC in the categories Design and Art. */
async function announce(earlyAccessMs = 0): Promise<string> {
  const [posterId, projectId] = [randomUUIDv7(), randomUUIDv7()];
  const at = ground.at();
  await db`insert into posters (id, name, created_at) values (${posterId}, 'Poster', ${at})`;
  await db`
    insert into projects (id, poster_id, title, description, requirements, prize_micro, entry_fee_micro, platform_fee_ppm,
      specializations, item_count, style_references, color_preferences, size_requirements, tags, ai_analysis,
      auto_select_deadline, judging_hours, status, created_at, updated_at)
    values (${projectId}, ${posterId}, 'A poster', 'A poster for a tea house', '', 5000000, 0, 50000,
      '{poster-design,portrait}', 1, '{}', '{}', '', '{}', '{}', ${at}, 72, 'draft', ${at}, ${at})`;
  const eventId = await ground.announce({ earlyAccessMs });
  await db`update webhook_events set project_id = ${projectId} where id = ${eventId}`;
  return eventId;
}

/** As its agent sets them. */
async function setFilter(subscribers: Subscriber[], settings: object): Promise<void> {
  const ids = subscribers.map(({ id }) => id);
  await db.begin(async (tx) => {
    const agents = await tx<{ id: string }[]>`
      update agents set settings = ${tx.json({ minBudget: 0, maxBudget: 1_000_000, preferredCategories: [], ...settings })}
      where id in (select agent_id from webhooks where id = any(${ids})) returning id`;
    for (const { id } of agents) await followSettings(tx, id);
  });
}

const urlsOf = (subscribers: { url: string }[]) => subscribers.map(({ url }) => url).toSorted();

it('go over any number that do not want the event, and stop at the last of them', async () => {
  const all = await ground.subscribe(1_400, { tier: 'pro' });
  const inOrder = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const wanting = inOrder.filter((_, n) => n === 3 || n === 700 || n === 1_250);
  await setFilter(
    inOrder.filter((one) => !wanting.includes(one)),
    { filterWebhooks: true, minBudget: 5.000001 },
  );
  await announce();
  await ground.settle(ground.sender());
  assert.deepEqual(urlsOf(sent), urlsOf(wanting));
  assert.equal((await ground.attempts()).length, 3);
  assert.deepEqual(await ground.retries(), []);
  assert.equal(await ground.openParts(), 0);
});

it('fit at the microdollar and by any category; off, they take everything', async () => {
  const cases: [wants: boolean, settings: object][] = [
    [true, { minBudget: 5, maxBudget: 5 }],
    [false, { minBudget: 5.000001 }],
    [false, { maxBudget: 4.999999 }],
    [true, { preferredCategories: ['Art'] }],
    [true, { preferredCategories: ['Marketing', 'Design'] }],
    [false, { preferredCategories: ['Marketing'] }],
    [false, { preferredCategories: ['Art'], maxBudget: 4 }],
    [true, { filterWebhooks: false, preferredCategories: ['Marketing'], maxBudget: 1 }],
  ];
  const all = await ground.subscribe(cases.length);
  for (const [n, [, settings]] of cases.entries()) await setFilter([all[n]!], { filterWebhooks: true, ...settings });
  await announce();
  await ground.settle(ground.sender());
  assert.deepEqual(urlsOf(sent), urlsOf(all.filter((_, n) => cases[n]![0])));
});

it('are not told by way of a new tier, and are after the filter was taken away', async () => {
  const [filtered, freed, plain] = [await ground.subscriber(), await ground.subscriber(), await ground.subscriber()];
  await setFilter([filtered, freed], { filterWebhooks: true, minBudget: 6 });
  await announce(60_000);
  await setFilter([freed], { filterWebhooks: false });
  const ids = [filtered, freed, plain].map(({ id }) => id);
  await db.begin(async (tx) => {
    const agents = await tx<{ id: string }[]>`
      update agents set tier = 'pro' where id in (select agent_id from webhooks where id = any(${ids})) returning id`;
    await followTiers(
      tx,
      agents.map(({ id }) => id),
    );
  });
  const waiting = (await ground.retries()).map(({ webhookId }) => webhookId);
  assert.deepEqual(waiting.toSorted(), [freed.id, plain.id].toSorted());
  ground.advance(60_000);
  await ground.settle(ground.sender());
  assert.deepEqual([...new Set(urlsOf(sent))], urlsOf([freed, plain]));
});

it('is asked at the first attempt alone: what failed is tried again though it would not fit any more', async () => {
  const one = await ground.subscriber();
  await announce();
  answer.of = () => REFUSED;
  await ground.settle(ground.sender());
  await setFilter([one], { filterWebhooks: true, minBudget: 6 });
  ground.advance(60_000);
  await ground.settle(ground.sender());
  assert.equal(sent.length, 3);
});

it('are read again when they have waited for a second: who was suspended or moved meanwhile is not sent to as before', async () => {
  const all = await ground.subscribe(50, { tier: 'pro' });
  const inOrder = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await ground.announce();
  const [suspended, moved] = [inOrder.slice(20, 40), inOrder.slice(40)];
  const change = async () => {
    await db`update webhooks set silent_until = 'infinity' where id = any(${suspended.map(({ id }) => id)})`;
    await db`update webhooks set url = url || '/moved' where id = any(${moved.map(({ id }) => id)})`;
    ground.advance(1_001);
  };
  let changed: Promise<void> | undefined;
  answer.of = async () => {
    await (changed ??= change());
    return OK;
  };
  // Few at once: most are read and wait.
  await ground.settle(ground.sender({ pool: 4 }));
  const expected = [...inOrder.slice(0, 20), ...moved.map(({ url }) => ({ url: `${url}/moved` }))];
  assert.deepEqual(urlsOf(sent), urlsOf(expected));
  assert.equal(await ground.openParts(), 0);
});
