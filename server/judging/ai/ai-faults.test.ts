import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completion, says, sendJson, verdict } from '../../../test/support/servers/ai-server.ts';
import { aiJudgingWorld, dataOf, MINUTE, titleOf } from '../../../test/support/worlds/ai-judging-world.ts';

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
  unscorableOf,
  advance,
  at,
} = await aiJudgingWorld();

const DAY = 24 * 60 * MINUTE;

describe('an endpoint that does not respond', () => {
  it('is asked again after 1, 5, 30, and 120 minutes, and then no more', async () => {
    const { id } = await judged(8);
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
      asked.every((count) => count <= 4),
      `${asked.join()}: three faults in a row end the round`,
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
      if (calls % 3 === 1) sendJson(response, completion({ content: verdict(3) }));
      else sendJson(response, {}, 429);
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

describe('the budget of an entry', () => {
  const wrong = (tokens: number | null) => says('Five!', tokens);

  it('ends its tries when it might not cover another one; the others are judged', async () => {
    const { id, entries } = await judged(2);
    server.behave((request, response, index) =>
      titleOf(request) === 'Entry 1'
        ? sendJson(response, completion({ content: verdict(4), tokens: 7_900 }))
        : wrong(2_000)(request, response, index),
    );
    await judgeToTheEnd(id);
    assert.equal(await stateOf(id), 'scored');
    // Two tries cost 4,000, and a third might cost more than 4,000.
    assert.equal(server.requests.length, 3);
    assert.deepEqual(await unscorableOf(id), [{ id: entries[0]!.id, reason: 'its token budget is used up' }]);
    assert.equal((await judgingOf(id)).tokens, 11_900);
  });

  it('assumes a high cost if the endpoint does not report it', async () => {
    const { id } = await judged(1);
    server.behave(wrong(null));
    await judgeToTheEnd(id);
    await assertUnscored(id);
    assert.equal(server.requests.length, 1);
  });

  it('covers a brief of any length, because the service shortens its texts', async () => {
    const long = { description: '\u{1F4A1}'.repeat(5_000), requirements: '\u{1F4A1}'.repeat(5_000) };
    const urls = Array.from({ length: 20 }, (_, index) => `https://example.com/${index}${'x'.repeat(1_900)}`);
    const { id } = await judged(['\u{1F4A1}'.repeat(100)], { ...long, style_references: urls });
    server.behave(says(verdict(4)));
    await judge(id);
    assert.equal(await stateOf(id), 'scored');
    assert.match(JSON.stringify(dataOf(server.requests[0]!).brief), /\[…\]/);
  });
});

describe('the budget of a day', () => {
  it('postpones judging to the next UTC day, and never gives up for it', async () => {
    const perDay = { config: { ...deps.config, aiTokens: { perEntry: 8_000, perDay: 8_000 } } };
    // Each day has room for one request: its answer leaves 2,000, and the next one might cost more than 4,000.
    await db`delete from ai_days`;
    const [first, second] = [await judged(1), await judged(2)];
    server.behave(says(verdict(4), 6_000));
    const days = new Set<number>();
    for (let rounds = 0; rounds < 8; rounds += 1) {
      for (const { id } of [first, second]) await judge(id, perDay);
      if ((await stateOf(second.id)) === 'scored') break;
      assert.equal(await stateOf(second.id), 'running');
      days.add(Math.floor(at().getTime() / DAY));
      advance(DAY - (at().getTime() % DAY) - 1);
      const asked = server.requests.length;
      await judge(second.id, perDay);
      assert.equal(server.requests.length, asked, 'nothing is asked before midnight');
      advance(1);
    }
    assert.deepEqual([await stateOf(first.id), await stateOf(second.id), days.size], ['scored', 'scored', 2]);
    assert.equal(server.requests.length, 3);
    for (const { id } of [first, second]) assert.deepEqual(await unscorableOf(id), []);
  });
});

describe('an entry with which the endpoint always fails', () => {
  it('does not stop the others, and is unscorable in the end', async () => {
    const { id, entries } = await judged(4);
    server.behave((request, response) => {
      if (titleOf(request) === 'Entry 0') sendJson(response, {}, 500);
      else sendJson(response, completion({ content: verdict(3) }));
    });
    await judge(id);
    assert.equal(new Set(server.requests.map(titleOf)).size, 4, 'all are asked about in the first round');
    await judgeToTheEnd(id);
    assert.equal(await stateOf(id), 'scored');
    assert.deepEqual(
      (await unscorableOf(id)).map((each) => each.id),
      [entries[0]!.id],
    );
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
