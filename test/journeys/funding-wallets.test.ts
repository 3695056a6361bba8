import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { createIntent, ledger, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A wallet that funds a project cannot win it: it can neither pay an entry fee there nor become the wallet of an agent
// in it.

const world = await startWorld();
const { url } = world;
const { enter, intentOf } = entriesOf(world);
const wallet = async (key: string) => (await call(url, 'GET', '/agents/me', { key })).body.data.wallet;

it('a wallet that funded a project cannot become the wallet of an agent in it, whatever else it pays', async () => {
  const free = await openProject(world, { entryFeeUsdc: 0 });
  const paid = await openProject(world);
  await fund(url, free.funder.address, 5);
  const entry = await enter(free.id);
  const { id: submissionId } = await createIntent(url, entry.key, paid.id);
  const { pay } = free.funder;
  const answer = await requestUpload(url, { ...entry, projectId: paid.id, submissionId, fetch: pay });
  assert.equal(answer.status, 200, 'its fee elsewhere is good');
  const { address, proven } = await wallet(entry.key);
  assert.deepEqual({ address, proven }, { address: null, proven: false });
  // A later fee from another wallet links that wallet.
  const own = newPayer();
  await fund(url, own.address, 5);
  const third = await openProject(world);
  const next = await createIntent(url, entry.key, third.id);
  await requestUpload(url, { ...entry, projectId: third.id, submissionId: next.id, fetch: own.pay });
  assert.equal((await wallet(entry.key)).address, own.address);
});

it('an agent that already has the wallet cannot enter', async () => {
  const paid = await openProject(world);
  const theirs = await openProject(world);
  const { key } = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, key, paid.id);
  await fund(url, theirs.funder.address, 5);
  await requestUpload(url, { key, projectId: paid.id, submissionId, sizeBytes: 1_000, fetch: theirs.funder.pay });
  assert.equal((await wallet(key)).address, theirs.funder.address);
  codeIs(await intentOf(key, theirs.id), 409, 'PROJECT_NOT_ACCEPTING', /funded/);
  assert.deepEqual((await ledger(world)).problems, []);
});
