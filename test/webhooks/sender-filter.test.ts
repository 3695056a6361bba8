import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { afterEach, beforeEach, it } from 'node:test';
import { testDatabase } from '../support/test-database.ts';
import { settingsOf } from '../../server/agents/accounts/settings.ts';
import { followSettings, followTiers } from '../../server/webhooks/endpoints/endpoint-changes.ts';
import { OK, REFUSED, senderWorld, type Subscriber } from '../support/webhooks/sender-world.ts';

// Fan-outs to subscriptions whose agents filter events.

const { db } = await testDatabase();
const world = senderWorld(db);
const { sent, answer } = world;

beforeEach(async () => await world.clear());
afterEach(() => assert.deepEqual(world.errors, []));

/** Announces a project of 5 USDC in the categories Design and Art. */
async function announce(earlyAccessMs = 0): Promise<string> {
  const [posterId, projectId] = [randomUUIDv7(), randomUUIDv7()];
  const at = world.at();
  await db`insert into posters (id, name, created_at) values (${posterId}, 'Poster', ${at})`;
  await db`
    insert into projects (id, poster_id, title, description, requirements, prize_micro, entry_fee_micro, platform_fee_ppm,
      specializations, item_count, style_references, color_preferences, size_requirements, tags, ai_analysis,
      auto_select_deadline, judging_hours, status, created_at, updated_at)
    values (${projectId}, ${posterId}, 'A poster', 'A poster for a tea house', '', 5000000, 0, 50000,
      '{poster-design,portrait}', 1, '{}', '{}', '', '{}', '{}', ${at}, 72, 'draft', ${at}, ${at})`;
  const eventId = await world.announce({ earlyAccessMs });
  await db`update webhook_events set project_id = ${projectId} where id = ${eventId}`;
  return eventId;
}

/** Stores the settings and updates the filter, as a settings change by the agent does. */
async function setFilter(subscribers: Subscriber[], change: object): Promise<void> {
  const ids = subscribers.map(({ id }) => id);
  const settings = settingsOf({ minBudget: 0, maxBudget: 1_000_000, preferredCategories: [], ...change }, 'starter');
  await db.begin(async (tx) => {
    const agents = await tx<{ id: string }[]>`
      update agents set settings = ${tx.json(settings)}
      where id in (select agent_id from webhooks where id = any(${ids})) returning id`;
    for (const { id } of agents) await followSettings(tx, id, settings);
  });
}

const urlsOf = (subscribers: { url: string }[]) => subscribers.map(({ url }) => url).toSorted();

it('a fan-out skips any number of subscriptions that filter the event, including the last', async () => {
  const all = await world.subscribe(1_400, { tier: 'pro' });
  const inOrder = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const wanting = inOrder.filter((_, n) => n === 3 || n === 700 || n === 1_250);
  await setFilter(
    inOrder.filter((one) => !wanting.includes(one)),
    { filterWebhooks: true, minBudget: 5.000001 },
  );
  await announce();
  await world.settle(world.sender());
  assert.deepEqual(urlsOf(sent), urlsOf(wanting));
  assert.equal((await world.attempts()).length, 3);
  assert.deepEqual(await world.retries(), []);
  assert.equal(await world.openParts(), 0);
});

it('a filter matches to the microdollar and by any category; a disabled filter matches everything', async () => {
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
  const all = await world.subscribe(cases.length);
  for (const [n, [, settings]] of cases.entries()) await setFilter([all[n]!], { filterWebhooks: true, ...settings });
  await announce();
  await world.settle(world.sender());
  assert.deepEqual(urlsOf(sent), urlsOf(all.filter((_, n) => cases[n]![0])));
});

it('a tier change sends an event only to webhooks whose current filter matches', async () => {
  const [filtered, freed, plain] = [await world.subscriber(), await world.subscriber(), await world.subscriber()];
  await setFilter([filtered, freed], { filterWebhooks: true, minBudget: 6 });
  await announce(60_000);
  await setFilter([freed], { filterWebhooks: false });
  const ids = [filtered, freed, plain].map(({ id }) => id);
  await db.begin(async (tx) => {
    await tx`update agents set tier = 'pro' where id in (select agent_id from webhooks where id = any(${ids}))`;
    const agents = tx`
      select id, tier from agents where id in (select agent_id from webhooks where id = any(${ids}))`;
    await followTiers(tx, agents);
  });
  const waiting = (await world.retries()).map(({ webhookId }) => webhookId);
  assert.deepEqual(waiting.toSorted(), [freed.id, plain.id].toSorted());
  world.advance(60_000);
  await world.settle(world.sender());
  assert.deepEqual([...new Set(urlsOf(sent))], urlsOf([freed, plain]));
});

it('a filter applies only to the first attempt: a failed delivery is retried after a filter change', async () => {
  const one = await world.subscriber();
  await announce();
  answer.of = () => REFUSED;
  await world.settle(world.sender());
  await setFilter([one], { filterWebhooks: true, minBudget: 6 });
  world.advance(60_000);
  await world.settle(world.sender());
  assert.equal(sent.length, 3);
});

it('a sender rereads subscriptions after a second, so that suspensions and URL changes take effect', async () => {
  const all = await world.subscribe(50, { tier: 'pro' });
  const inOrder = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await world.announce();
  const [suspended, moved] = [inOrder.slice(20, 40), inOrder.slice(40)];
  const change = async () => {
    await db`update webhooks set silent_until = 'infinity' where id = any(${suspended.map(({ id }) => id)})`;
    await db`update webhooks set url = url || '/moved' where id = any(${moved.map(({ id }) => id)})`;
    world.advance(1_001);
  };
  let changed: Promise<void> | undefined;
  answer.of = async () => {
    await (changed ??= change());
    return OK;
  };
  // With a small pool, most rows wait after the sender has read them.
  await world.settle(world.sender({ pool: 4 }));
  const expected = [...inOrder.slice(0, 20), ...moved.map(({ url }) => ({ url: `${url}/moved` }))];
  assert.deepEqual(urlsOf(sent), urlsOf(expected));
  assert.equal(await world.openParts(), 0);
});
