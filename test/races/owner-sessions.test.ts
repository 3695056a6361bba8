import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { browsersOf, cookieOf } from '../support/clients/sessions.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// An owner signs in and out at two services with one database at once. They share a public URL, which signed messages name.

const PATH = '/agents/session';
const { url: one, service, operatorKey } = await startWorld();
const second = createService(service.deps, { operatorKey });
const listener = await listen(second.app, { host: '127.0.0.1', port: 0 });
after(() => listener.close(0));
after(() => second.app.stop());
const other = `http://127.0.0.1:${listener.port}`;
const urls = [one, other, one, other];
const { browser } = browsersOf(one);

it('a signed message signs in once, and a session ends once', async () => {
  const [{ id, key }, payer] = [await registerAgent(one), newPayer()];
  expectStatus(await linkPayer(one, key, payer), 200);
  const asked = await call(one, 'POST', `${PATH}/challenge`, { body: { address: payer.address } });
  const message = expectStatus(asked, 200).body.data.message as string;
  const body = { message, signature: await payer.account.signMessage({ message }) };
  const answers = await Promise.all(urls.map((url) => call(url, 'POST', PATH, { body })));
  const [signedIn, ...more] = answers.filter(({ status }) => status === 200);
  assert.ok(signedIn && more.length === 0, answers.map(({ status }) => status).join());
  for (const answer of answers)
    if (answer !== signedIn) codeIs(answer, 400, 'WALLET_CHALLENGE_INVALID', /already used/);
  const started = await service.deps.db`
    select 1 from events where type = 'SESSION.STARTED' and stream = ${`agent:${id}`}`;
  assert.equal(started.length, 1);

  const cookie = cookieOf(signedIn);
  const outs = await Promise.all(urls.map((url) => call(url, 'DELETE', PATH, browser(cookie))));
  const ended = outs.filter(({ status }) => status === 200).map((answer) => answer.body.data.ended as number);
  assert.equal(
    ended.reduce((sum, each) => sum + each, 0),
    1,
  );
  for (const answer of outs) if (answer.status !== 200) codeIs(answer, 401, 'UNAUTHORIZED', /session is over/);
});
