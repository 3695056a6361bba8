import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createTreasury } from '../../server/x402/treasury.ts';
import { dumpOf, foundIn } from '../support/secrets/canaries.ts';
import { startWithCanaries } from '../support/secrets/canary-service.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { type Answer, type Call, call, fund, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import { brief, expectStatus, putPicture, type Registered, testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { callOperation } from '../support/clients/requests.ts';
import { challengeWallet, linkWallet } from '../support/clients/wallets.ts';

// Runs the real service with known secrets through every use of them: registrations, payments, uploads, webhooks,
// judging by posters and by a model, payouts, sign-ins, and failures. Afterwards, no part of a secret is in the log at
// its lowest level, the metrics, or the refusals. Nor is one in the data sent to others or in a dump of the database.

const { canaries, plant, url, db, hook, told, model, service, operatorKey, treasuryKey } = await startWithCanaries();

const refusals: string[] = [];
/** Answers that must not contain a secret. Only the operations that issue a secret contain it, and only once. */
const others: string[] = [];
const handsOut = /^\/(?:agents\/create|posters\/create|agents\/me\/keys\/rotate|agents\/webhooks\/projects)$/;

async function ask(method: string, path: string, options: Call = {}): Promise<Answer> {
  const answer = await call(url, method, path, options);
  const seen = JSON.stringify([[...answer.headers].filter(([name]) => name !== 'set-cookie'), answer.body]);
  if (answer.status >= 400) refusals.push(seen);
  else if (!(method === 'POST' && handsOut.test(path)) && !seen.includes('uploadUrl') && !seen.includes('/media/'))
    others.push(seen);
  return answer;
}

async function wealthy(): Promise<Payer> {
  const payer = newPayer();
  await fund(url, payer.address, 20);
  return payer;
}

/** Signs the payment that a 402 asks for. The header and its signature stay secret until the chain has them. */
async function signed(name: string, payer: Payer, refusal: Answer): Promise<Record<string, string>> {
  const headers = await signPayment(payer, expectStatus(refusal, 402));
  const header = plant(`the payment ${name}`, headers['PAYMENT-SIGNATURE']!);
  const { payload } = JSON.parse(Buffer.from(header, 'base64').toString()) as { payload: { signature: string } };
  plant(`the signature ${name}`, payload.signature);
  return headers;
}

async function register(name: string): Promise<Registered> {
  // Send the request twice, because the service stores the answer and repeats it.
  const headers = { 'idempotency-key': plant(`the idempotency key of ${name}`, randomUUID()) };
  const body = {
    agent_name: name,
    description: 'An agent that enters competitions to test the service.',
    specializations: ['logo-design'],
  };
  const [first, again] = [
    await ask('POST', '/agents/create', { headers, body }),
    await ask('POST', '/agents/create', { headers, body }),
  ];
  const { agentId: id, apiKey } = expectStatus(first, 201).body.data;
  assert.equal(again.body.data.apiKey, apiKey);
  return { id, key: plant(`the key of ${name}`, apiKey) };
}

async function subscribe({ key }: Registered, path: string): Promise<void> {
  for (const time of ['first', 'second']) {
    const answer = await ask('POST', '/agents/webhooks/projects', { key, body: { webhook_url: hook + path } });
    plant(`the ${time} webhook secret of ${path}`, answer.body.data.webhook_secret);
  }
}

async function publish(name: string, poster: Registered, fields: object = {}): Promise<string> {
  const draft = expectStatus(
    await ask('POST', '/posters/me/projects', { key: poster.key, body: { ...brief({ prizeUsdc: 2 }), ...fields } }),
    201,
  );
  const { id } = draft.body.data.project as { id: string };
  const path = `/posters/me/projects/${id}/publish`;
  const payment = await signed(
    `of the prize of ${name}`,
    await wealthy(),
    await ask('POST', path, { key: poster.key }),
  );
  expectStatus(await ask('POST', path, { key: poster.key, headers: payment }), 200);
  return id;
}

async function enter(name: string, agent: Registered, projectId: string, seed: number): Promise<string> {
  const picture = await testPicture(seed);
  const intent = { key: agent.key, body: { title: `By ${name}` } };
  const { id } = expectStatus(await ask('POST', `/agents/projects/${projectId}/intent`, intent), 201).body.data
    .submission;
  const path = `/agents/projects/${projectId}/submissions/${id}`;
  const body = { fileName: 'entry.png', fileType: 'image/png', fileSize: picture.length };
  const request = { key: agent.key, body, headers: { 'x-forwarded-for': '203.0.113.7' } };
  const payment = await signed(`of the fee of ${name}`, await wealthy(), await ask('POST', path, request));
  const granted = await ask('POST', path, { ...request, headers: { ...request.headers, ...payment } });
  const { uploadUrl } = expectStatus(granted, 200).body.data;
  plant(`the upload signature of ${name}`, new URL(uploadUrl).searchParams.get('signature')!);
  assert.equal(await putPicture(uploadUrl, picture), 200);
  expectStatus(await ask('POST', `${path}/confirm`, { key: agent.key }), 200);
  return id;
}

const completed = (poster: Registered, id: string) =>
  until(`${id} completed`, async () => {
    const { project } = (await ask('GET', `/posters/me/projects/${id}`, { key: poster.key })).body.data;
    return project.status === 'completed';
  });

describe('known secrets in every use', () => {
  let poster: Registered;
  let [ada, bob]: Registered[] = [];

  it('registrations, keys, webhooks, and sign-ins', async () => {
    const { posterId, apiKey } = expectStatus(
      await ask('POST', '/posters/create', { body: { poster_name: 'Canary' } }),
      201,
    ).body.data;
    poster = { id: posterId, key: plant("the poster's key", apiKey) };
    [ada, bob] = [await register('Ada'), await register('Bob')];
    const rotated = await ask('POST', '/agents/me/keys/rotate', { key: bob.key, body: { grace_seconds: 60 } });
    bob = { ...bob, key: plant("Bob's rotated key", expectStatus(rotated, 200).body.data.apiKey) };
    await subscribe(ada, '/ok');
    await subscribe(bob, '/fails');
    expectStatus(await ask('POST', '/agents/webhooks/projects/test', { key: ada.key }), 200);
    const session = await ask('POST', '/posters/session', { body: { api_key: poster.key }, headers: { origin: url } });
    const cookie = expectStatus(session, 200).headers.get('set-cookie')!.split(';')[0]!;
    plant("the session's token", cookie.slice(cookie.indexOf('=') + 1));
    expectStatus(await ask('GET', '/posters/session', { headers: { cookie } }), 200);
    const payer = newPayer();
    const message = await challengeWallet(url, bob.key, payer.address);
    const signature = plant("Bob's signature of a challenge", await payer.account.signMessage({ message }));
    expectStatus(await linkWallet(url, bob.key, message, signature), 200);
  });

  it('payments, uploads, judging, and payouts', async () => {
    const [chosen, scored] = [
      await publish('the first', poster),
      await publish('the second', poster, { judging_hours: 0 }),
    ];
    const winner = await enter('Ada', ada!, chosen, 1);
    await enter('Bob', bob!, chosen, 40);
    await enter('Ada again', ada!, scored, 80);
    for (const id of [chosen, scored])
      expectStatus(await ask('POST', `/posters/me/projects/${id}/close`, { key: poster.key }), 200);
    const gallery = await ask('GET', `/posters/me/projects/${chosen}/submissions`, { key: poster.key });
    const { image_url } = gallery.body.data.submissions[0];
    plant('the signature of a picture', new URL(image_url).searchParams.get('signature')!);
    assert.equal((await fetch(image_url)).status, 200);
    expectStatus(
      await ask('POST', `/posters/me/projects/${chosen}/winner`, { key: poster.key, body: { submission_id: winner } }),
      200,
    );
    await completed(poster, chosen);
    // Only the model judged the other project.
    await completed(poster, scored);
    assert.ok(model.requests.length > 0);
    // The transfers that the treasury signed for these payouts.
    const transfers = await db<
      {
        kind: 'payout';
        subjectId: string;
        network: string;
        asset: string;
        recipient: string;
        amountMicro: number;
        nonce: string;
        validBefore: number;
      }[]
    >`
      select kind, subject_id as "subjectId", network, asset, pay_to as recipient, amount_micro as "amountMicro",
        auth_nonce as nonce, valid_before as "validBefore" from payments where kind = 'payout'`;
    assert.equal(transfers.length, 2);
    for (const transfer of transfers) {
      const { payload } = await createTreasury(treasuryKey).authorize(transfer);
      const { signature } = payload.payload as { signature: string };
      plant(`the signature of payout ${transfer.subjectId}`, signature);
    }
  });

  it('failures: payments without money, altered and reused payments, wrong keys, and every operation', async () => {
    const project = await publish('the third', poster);
    const carl = await register('Carl');
    const { id } = expectStatus(
      await ask('POST', `/agents/projects/${project}/intent`, { key: carl.key, body: { title: 'In vain' } }),
      201,
    ).body.data.submission;
    const path = `/agents/projects/${project}/submissions/${id}`;
    const body = { fileName: 'entry.png', fileType: 'image/png', fileSize: 10 };
    const pay = (headers: Record<string, string> = {}) =>
      ask('POST', path, { key: carl.key, body, headers: { 'x-forwarded-for': '203.0.113.7', ...headers } });
    const poor = await signed('of a payer without money', newPayer(), await pay());
    expectStatus(await pay(poor), 402);
    const header = (await signed('that is altered', await wealthy(), await pay()))['PAYMENT-SIGNATURE']!;
    const altered = JSON.parse(Buffer.from(header, 'base64').toString()) as { payload: { signature: string } };
    altered.payload.signature = plant('an altered signature', `0x${randomBytes(64).toString('hex')}1b`);
    expectStatus(await pay({ 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(altered)).toString('base64') }), 402);
    expectStatus(
      await pay({ 'X-PAYMENT': Buffer.from([...canaries.values()].join(' ').slice(0, 5_000)).toString('base64') }),
      402,
    );
    const wrong = plant('a key of nobody', `ck_test_${randomBytes(35).toString('hex')}`);
    const keys = { agent: carl.key, poster: poster.key, operator: operatorKey, public: wrong };
    // Put secrets in every place of a request where a client could put one by mistake.
    for (const spec of everyOperation.filter(({ id: name }) => name !== 'rotateKey')) {
      for (const key of [wrong, keys[spec.auth]]) {
        const note = `${ada?.key} ${wrong} ${operatorKey}`;
        const options = spec.method === 'get' ? {} : { body: { note, reason: 1 } };
        const answer = await callOperation(url, spec, { key, headers: poor, ...options });
        if (answer.status >= 400) refusals.push(JSON.stringify(answer.body));
      }
    }
    await ask('GET', `/agents/projects?cursor=${wrong}`, { key: carl.key });
    await ask('GET', `/no/such/${wrong}`, { key: carl.key });
    await ask('GET', '/operator/payments', { key: operatorKey });
    await ask('GET', '/operator/webhooks/deliveries', { key: operatorKey });
    await ask('GET', '/operator/audit', { key: operatorKey });
  });
});

describe('afterwards no part of a secret', () => {
  const free = (place: string, text: string) => assert.deepEqual(foundIn(text, canaries), [], place);

  it('would be overlooked: the search finds each planted secret in every encoding', () => {
    for (const [name, secret] of canaries) {
      const shapes = [
        secret,
        secret.toUpperCase(),
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64'),
      ];
      for (const shape of shapes) assert.ok(foundIn(`{"note":"${shape}"}`, canaries).includes(name), name);
    }
    assert.ok(canaries.size > 35, `${canaries.size}`);
  });

  it('is in the log at its lowest level', () => {
    // The first lines of a development start print its operator key on purpose.
    const [banner, ...rest] = service.output().split(new RegExp(`^ +operator +${operatorKey}$`, 'm'));
    assert.equal(rest.length, 1);
    const lines = (banner ?? '') + rest.join('');
    assert.ok(lines.split('\n').filter((line) => line.includes('"msg":"request"')).length > everyOperation.length);
    free('the log', lines);
  });

  it('is in the metrics', async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    assert.match(text, /concours_requests_total/);
    free('/metrics', text);
  });

  it('is in a refusal, or in an answer that issues no secret', () => {
    assert.ok(refusals.length > everyOperation.length && others.length > 20, `${refusals.length} ${others.length}`);
    for (const seen of [...refusals, ...others]) free(seen, seen);
  });

  it('is in what webhooks send', async () => {
    await until('deliveries to both', async () => told.length >= 6);
    for (const { headers, body } of told) free('a webhook', headers + body);
    assert.ok(told.some(({ headers }) => /service-signature/i.test(headers)));
  });

  it('is in requests to the model, except the model’s own key in its header', () => {
    for (const { headers, body } of model.requests) {
      free('a question', JSON.stringify(body));
      assert.deepEqual(foundIn(JSON.stringify(headers), canaries), ["the model's key"]);
    }
  });

  it('is in a dump of the database, neither as text nor as bytes', async () => {
    const dump = await dumpOf(db);
    // The dump is complete: it has the names, the nonces, and the sealed signatures.
    assert.ok(dump.size > 40 && dump.get('agents')?.includes('Ada'), `${dump.size}`);
    const payments = dump.get('payments')?.split('\n').filter(Boolean) ?? [];
    assert.ok(
      payments.length >= 8 && payments.every((row) => /\\\\x01[0-9a-f]{100,}/.test(row)),
      payments[0] ?? 'none',
    );
    for (const [table, rows] of dump) free(table, rows);
  });
});
