import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { assertNothingLeft, plant, plantedIn, watchAnswer, watched } from '../support/secrets/canary-watch.ts';
import { fund, newPayer, signPayment } from '../support/clients/client.ts';
import { createIntent, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Proves that the watch for secrets, which runs in all other tests, would find them.

const world = await startWorld();
const { url, operatorKey, service } = world;
const { db } = service.deps;
const agent = await registerAgent(url);
const end = (change: object = {}) =>
  assertNothingLeft({ url, operatorKey, db, logLines: [], inWebhooks: [], ...change });

describe('an issued secret', () => {
  it('is found in every place and in every encoding', async () => {
    await end();
    for (const shape of [
      agent.key,
      agent.key.toUpperCase(),
      agent.key.slice(-50),
      Buffer.from(agent.key).toString('hex'),
    ])
      assert.deepEqual(plantedIn(`{"note":"Bearer ${shape}."}`), ['apiKey'], shape);
    // An id and a hash are not secret.
    assert.deepEqual(plantedIn(`${agent.key.slice(0, 31)} ${agent.id} ${randomBytes(32).toString('hex')}`), []);
    await assert.rejects(end({ logLines: [`{"msg":"${agent.key}"}`] }), /secrets in the log/);
    const refusal = new Response(null, { status: 400 });
    assert.throws(() => watchAnswer('/agents/me', refusal, `"${agent.key}"`), /secrets in a refusal of \/agents\/me/);
    const told = new Response(null, { status: 404, headers: { 'x-note': agent.key } });
    assert.throws(() => watchAnswer('/agents/me', told, '{}'), /secrets in a refusal/);
    await db`update agents set description = ${agent.key} where id = ${agent.id}`;
    await assert.rejects(end(), /secrets in the table agents/);
    await db`update agents set description = 'none' where id = ${agent.id}`;
    await db`update agent_keys set secret_hash = ${Buffer.from(agent.key)} where agent_id = ${agent.id}`;
    await assert.rejects(end(), /secrets in the table agent_keys/);
    await db`update agent_keys set secret_hash = sha256('x') where agent_id = ${agent.id}`;
    await end();
  });

  it('is found if it is a payment, a webhook secret, a session, or a private key', async () => {
    const webhook = new Response('', { status: 200, headers: { 'set-cookie': `session=${'s'.repeat(40)}; Path=/` } });
    const secret = randomBytes(32).toString('hex');
    watchAnswer('/agents/webhooks/projects', webhook, `{"webhook_secret":"${secret}"}`);
    assert.deepEqual(plantedIn(secret.slice(0, 32)), ['webhook_secret']);
    assert.deepEqual(plantedIn('s'.repeat(40)), ["a session's token"]);
    const [project, { key }] = [await openProject(world), await registerAgent(url)];
    const [payer, entry] = [newPayer(), { key, projectId: project.id, sizeBytes: 10 }];
    await fund(url, payer.address, 1);
    const { id: submissionId } = await createIntent(url, key, project.id);
    const headers = await signPayment(payer, await requestUpload(url, { ...entry, submissionId }));
    const { payload } = JSON.parse(Buffer.from(headers['PAYMENT-SIGNATURE']!, 'base64').toString());
    assert.deepEqual(plantedIn(payload.signature), []);
    await requestUpload(url, { ...entry, submissionId, headers });
    assert.deepEqual(plantedIn(payload.signature), ['the signature of a payment']);
    assert.deepEqual(plantedIn(operatorKey), ["the operator's key"]);
  });

  it('is found in a webhook', async () => {
    const secret = randomBytes(32).toString('hex');
    plant('a secret', secret);
    const inWebhooks: string[] = [];
    const { deliverWebhook } = watched(
      { ...service.deps, deliverWebhook: async () => assert.fail('sent') },
      inWebhooks,
    );
    for (const delivery of [
      { headers: { 'x-note': secret }, body: Buffer.from('{}') },
      { headers: { 'x-note': 'none' }, body: Buffer.from(`{"note":"${secret}"}`) },
    ])
      await assert.rejects(deliverWebhook({ url: 'https://agent.example', ...delivery }), /sent/);
    assert.equal(inWebhooks.length, 2);
    await assert.rejects(end({ inWebhooks }), /secrets in webhooks/);
  });
});
