import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completion, says, sendJson, verdict } from '../../test/support/servers/ai-server.ts';
import { aiJudgingWorld, MINUTE, titleOf } from '../../test/support/worlds/ai-judging-world.ts';

const {
  db,
  key,
  server,
  deps,
  lines,
  pictures,
  judge,
  judged,
  judgingOf,
  judgeToTheEnd,
  stateOf,
  assertUnscored,
  advance,
} = await aiJudgingWorld();

describe('an endpoint that does not respond', () => {
  it('is asked again after 1, 5, 30, and 120 minutes, and then no more', async () => {
    const { id } = await judged(3);
    server.behave((_, response) => sendJson(response, { error: { message: key } }, 503));
    const asked: number[] = [];
    for (const pauseMs of [1, 5, 30, 120].map((minutes) => minutes * MINUTE)) {
      server.requests.length = 0;
      await judge(id);
      asked.push(server.requests.length);
      assert.equal(await stateOf(id), 'running');
      advance(pauseMs - 1);
      await judge(id);
      assert.equal(server.requests.length, asked.at(-1), 'no request before the pause is over');
      advance(1);
    }
    await judge(id);
    await assertUnscored(id);
    assert.ok(
      asked.every((count) => count <= 2),
      `${asked.join()}: a fault ends the round`,
    );
    assert.deepEqual((await judgingOf(id)).tokens, 0);
  });

  it('is asked again after the delay that it requests', async () => {
    const { id } = await judged(1);
    server.behave((_, response) => sendJson(response, {}, 429, { 'retry-after': '600' }));
    await judge(id);
    server.behave(says(verdict(4)));
    advance(10 * MINUTE - 1);
    await judge(id);
    assert.equal(server.requests.length, 1);
    advance(1);
    await judge(id);
    assert.equal(await stateOf(id), 'scored');
  });

  it('gets any number of further rounds, as long as each round scores an entry', async () => {
    const { id } = await judged(12);
    let calls = 0;
    server.behave((_, response) => {
      calls += 1;
      if (calls % 3 === 0) sendJson(response, {}, 429);
      else sendJson(response, completion({ content: verdict(3) }));
    });
    assert.ok((await judgeToTheEnd(id, MINUTE)) > 4);
    assert.equal(await stateOf(id), 'scored');
    const titles = server.requests.map(titleOf);
    assert.equal(new Set(titles).size, 12);
    assert.equal((await judgingOf(id)).tokens, 12 * 700, 'no entry was asked about twice');
  });

  it('a picture that cannot be read postpones the round', async () => {
    server.behave(says(verdict(4)));
    const { id } = await judged(1);
    pictures.broken = true;
    await judge(id);
    assert.deepEqual([server.requests.length, await stateOf(id)], [0, 'running']);
    pictures.broken = false;
    advance(MINUTE);
    await judge(id);
    assert.equal(await stateOf(id), 'scored');
  });
});

describe('the budget', () => {
  const small = { config: { ...deps.config, aiTokensPerProject: 12_000 } };

  it('stops requests that it might not cover, and the scores so far decide nothing', async () => {
    const { id } = await judged(10);
    server.behave(says(verdict(5), 3_000));
    await judge(id, small);
    await assertUnscored(id);
    const { tokens, error } = await judgingOf(id);
    assert.equal(error, 'the token budget is used up');
    assert.equal(server.requests.length, 3);
    assert.equal(tokens, 9_000);
    assert.match(lines.join(''), /ai_judging_impossible/);
  });

  it('is not exhausted by tokens that another request has only reserved', async () => {
    const { id } = await judged(8);
    server.behave(says(verdict(5), 700));
    await judge(id, { config: { ...deps.config, aiTokensPerProject: 12_000 } });
    assert.equal(await stateOf(id), 'scored');
  });

  it('assumes a high cost if the endpoint does not report it', async () => {
    const { id } = await judged(10);
    server.behave(says(verdict(5), null));
    await judge(id, small);
    await assertUnscored(id);
    assert.equal(server.requests.length, 2);
  });
});

describe('a process that stops', () => {
  it('when told to stop, ends its request, and the next process continues at once', async () => {
    const { id } = await judged(3);
    const stopping = new AbortController();
    server.behave((_, response, index) => {
      if (index === 0) sendJson(response, completion({ content: verdict(4) }));
      else stopping.abort();
    });
    await judge(id, {}, stopping.signal);
    assert.equal(await stateOf(id), 'running');
    const before = server.requests.length;
    server.behave(says(verdict(4)));
    await judge(id);
    assert.equal(await stateOf(id), 'scored');
    assert.equal(server.requests.length - before, 2, 'the first entry is not asked about again');
  });

  it('when killed, keeps others out until its lease ends; the tokens of its last request count as spent', async () => {
    const { id } = await judged(1);
    const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
    const killed = { ask: () => (wasAsked(), new Promise<never>(() => {})) };
    void judge(id, { ai: killed });
    await asked;
    server.behave(says(verdict(4)));
    await judge(id);
    assert.equal(server.requests.length, 0);
    const { tokens } = await judgingOf(id);
    assert.ok(tokens > 4_000);
    advance(5 * MINUTE);
    await judge(id);
    assert.deepEqual(await judgingOf(id), { state: 'scored', attempts: 0, tokens: tokens + 700, error: null });
  });

  it('when killed in every round, the judging still ends', async () => {
    const { id } = await judged(1);
    for (let count = 0; count < 3; count += 1) {
      const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
      void judge(id, { ai: { ask: () => (wasAsked(), new Promise<never>(() => {})) } });
      await asked;
      advance(5 * MINUTE);
    }
    await judge(id);
    await assertUnscored(id);
    assert.equal(server.requests.length, 0);
  });

  it('two processes at once ask about each entry once', async () => {
    const { id } = await judged(6);
    server.behave(says(verdict(4)));
    await Promise.all([judge(id), judge(id), judge(id)]);
    assert.equal(server.requests.length, 6);
    assert.equal(await stateOf(id), 'scored');
  });
});

it('logs neither the API key nor any text of posters and agents', async () => {
  const { id } = await judged(['A very secret title']);
  server.behave((request, response, index) => {
    if (index % 2 === 0) sendJson(response, { error: { message: `Wrong key ${key}`, request } }, 401);
    else sendJson(response, completion({ content: `${key} ${JSON.stringify(request.body)}` }));
  });
  await judgeToTheEnd(id);
  await assertUnscored(id);
  assert.ok(lines.length > 2);
  assert.doesNotMatch(lines.join(''), new RegExp(`${key}|secret title|Wrong key`));
  const rows = await db`select * from ai_judging natural left join ai_scores`;
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(`${key}|secret title|Wrong key`));
});
