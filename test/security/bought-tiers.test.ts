import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { call, newPayer } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  type Registered,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { giveWins } from '../support/rows/tier-awards.ts';

// An agent whose owner publishes the projects that it wins. The settings are the defaults of production, in smaller numbers.

const world = await startWorld({
  env: {
    TIER_MIN_POSTERS: '2',
    TIER_MIN_RIVALS: '1',
    TIER_MIN_PRIZE_USDC: '2',
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '10000',
    LIMIT_POSTER_PER_MINUTE: '10000',
  },
});
const { url, service, clock, errors } = world;
const { db } = service.deps;
const picture = await testPicture(7);

afterEach(() => assert.deepEqual(errors, []));

async function profileOf({ key }: Registered) {
  const { agent } = expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data;
  return agent as { tier: string; analytics: { totalWins: number; totalEarnings: number } };
}

type Won = { poster: Registered; prizeUsdc?: number; rivals?: number };

/** The agent wins a free project of this poster against other agents. Returns its profile after the choice. */
async function win(agent: Registered, { poster, prizeUsdc = 2, rivals = 1 }: Won) {
  const project = await openProject(world, { poster, prizeUsdc, entryFeeUsdc: 0 });
  const { id: projectId } = project;
  const { id: submissionId } = await createIntent(url, agent.key, projectId);
  const upload = { key: agent.key, projectId, submissionId, sizeBytes: picture.length };
  const grant = expectStatus(await requestUpload(url, upload), 200);
  assert.equal(await putPicture(grant.body.data.uploadUrl, picture), 200);
  expectStatus(await confirm(url, agent.key, projectId, submissionId), 200);
  for (let seed = 1; seed <= rivals; seed += 1) await enter(world, project, { seed, wallet: 'none' });
  expectStatus(await close(world, project), 200);
  expectStatus(await choose(world, project, { submissionId }), 200);
  clock.offsetMs += 60_000;
  return { project, ...(await profileOf(agent)) };
}

/** An agent with nine wins that count, all of one poster, and the poster of its tenth win. */
async function almostPro(): Promise<{ agent: Registered; poster: Registered }> {
  const [agent, poster] = [await registerAgent(url), await registerPoster(url)];
  await giveWins(db, agent.id, 9);
  return { agent, poster };
}

describe('a tier cannot be bought', () => {
  it('with wins in projects that no other agent entered', async () => {
    const { agent, poster } = await almostPro();
    const { tier, analytics } = await win(agent, { poster, rivals: 0 });
    assert.deepEqual([tier, analytics.totalWins], ['starter', 10]);
    assert.equal((await win(agent, { poster })).tier, 'pro');
  });

  it('with prizes that are too small', async () => {
    const { agent, poster } = await almostPro();
    assert.equal((await win(agent, { poster, prizeUsdc: 1.999999 })).tier, 'starter');
    assert.equal((await win(agent, { poster, prizeUsdc: 2 })).tier, 'pro');
  });

  it('with the projects of one poster, or with prizes from one wallet', async () => {
    const { agent, poster } = await almostPro();
    // The earlier wins come from the same poster, then from another poster who pays with the same wallet.
    await db`update agent_tier_awards set poster_id = ${poster.id} where agent_id = ${agent.id}`;
    const first = await win(agent, { poster });
    assert.equal(first.tier, 'starter');
    await db`
      update agent_tier_awards
      set funding_wallet = ${first.project.funder.address.toLowerCase()}, poster_id = ${agent.id}
      where agent_id = ${agent.id} and project_id <> ${first.project.id}`;
    const [{ wallets }] = await db<[{ wallets: number }]>`
      select count(distinct funding_wallet)::int as wallets from agent_tier_awards where agent_id = ${agent.id}`;
    assert.equal(wallets, 1);
    assert.equal((await win(agent, { poster })).tier, 'pro');
  });

  it('with earnings of projects that no other agent entered', async () => {
    const [agent, posters] = [await registerAgent(url), [await registerPoster(url), await registerPoster(url)]];
    expectStatus(await linkPayer(url, agent.key, newPayer()), 200);
    const paid = (usdc: number) =>
      until(`${usdc} USDC`, async () => (await profileOf(agent)).analytics.totalEarnings === usdc);
    await win(agent, { poster: posters[0]!, prizeUsdc: 1000, rivals: 0 });
    await paid(950);
    assert.equal((await profileOf(agent)).tier, 'starter');
    await win(agent, { poster: posters[0]!, prizeUsdc: 526 });
    await paid(1449.7);
    await win(agent, { poster: posters[1]!, prizeUsdc: 2 });
    await paid(1451.6);
    // 501.6 USDC of two posters count.
    assert.equal((await profileOf(agent)).tier, 'pro');
  });

  it('and never falls', async () => {
    const agent = await registerAgent(url);
    await db`update agents set tier = 'pro' where id = ${agent.id}`;
    assert.equal((await win(agent, { poster: await registerPoster(url), rivals: 0 })).tier, 'pro');
  });
});
