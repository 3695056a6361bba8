import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fund, newPayer, signPayment } from '../support/clients/client.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { expectStatus, openProject, requestUpload } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A valid payment that can never be charged must not make the service ask its node, or hold the broadcast lane.

let verified = 0;
const world = await startWorld({
  wrap: ({ facilitator }) => ({
    facilitator: {
      ...facilitator,
      async verify(payment) {
        verified += 1;
        return await facilitator.verify(payment);
      },
    },
  }),
});
const { url, service, errors } = world;
const { enter } = entriesOf(world);
const project = await openProject(world);

it('a valid payment with an invalid body costs no verification and no money, and stays good', async () => {
  const entry = await enter(project.id);
  const payer = newPayer();
  await fund(url, payer.address, 1);
  const headers = await signPayment(payer, await requestUpload(url, entry));
  const before = verified;
  for (let tries = 0; tries < 5; tries += 1)
    codeIs(await requestUpload(url, { ...entry, sizeBytes: 0, headers }), 400, 'VALIDATION_ERROR', /fileSize/);
  assert.equal(verified, before);
  assert.equal(await service.deps.chain.balanceMicro(payer.address), 1_000_000);
  const granted = expectStatus(await requestUpload(url, { ...entry, headers }), 200);
  assert.match(granted.headers.get('ratelimit') ?? '', /"failedPayments";r=10/);
});

it('a valid payment of the wallet that funded the project costs no verification either', async () => {
  const entry = await enter(project.id);
  await fund(url, project.funder.address, 1);
  const headers = await signPayment(project.funder, await requestUpload(url, entry));
  const before = verified;
  codeIs(await requestUpload(url, { ...entry, headers }), 409, 'PROJECT_NOT_ACCEPTING', /funded/);
  assert.equal(verified, before);
});

it('logs no errors', () => assert.deepEqual(errors, []));
