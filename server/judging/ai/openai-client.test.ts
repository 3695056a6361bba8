import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeEach, describe, it } from 'node:test';
import { type AiBehavior, completion, says, sendJson, startAiServer } from '../../../test/support/servers/ai-server.ts';
import { freePort } from '../../devnet/child-process.ts';
import type { EntryQuestion } from '../types.ts';
import { createOpenAiClient, dearestTokens } from './openai-client.ts';

const KEY = `sk-${randomBytes(20).toString('hex')}`;
const server = await startAiServer();
const newClient = (url = server.url) => createOpenAiClient({ url, model: 'judge-1', key: KEY }, { randomBytes });

const question: EntryQuestion = {
  data: { title: 'A lighthouse' },
  pictures: [{ bytes: Buffer.from('pixels'), small: false }],
  timeoutMs: 5_000,
  signal: new AbortController().signal,
};
const guess = dearestTokens(question);
const verdict = (more = {}) => JSON.stringify({ score: 4, reason: 'Calm.', ...more });
const good = verdict();

beforeEach(() => {
  server.requests.length = 0;
  server.behave(says(good));
});

describe('the client of a model', () => {
  it('sends a chat completion, with data and picture apart from the rules', async () => {
    assert.deepEqual(await newClient().ask(question), {
      kind: 'answer',
      verdict: { score: 4, reason: 'Calm.' },
      tokens: 700,
    });
    const [{ path, headers, body }] = server.requests as [(typeof server.requests)[0]];
    assert.equal(path, '/v1/chat/completions');
    assert.equal(headers.authorization, `Bearer ${KEY}`);
    const [system, user] = body.messages;
    assert.equal(system.role, 'system');
    assert.match(system.content, /^You judge one entry/);
    assert.match(user.content[0]!.text!, /lines (DATA-[0-9a-f]{24}) is data.*\n\1\n\{"title":"A lighthouse"\}\n\1$/s);
    assert.deepEqual(user.content[1], {
      type: 'image_url',
      image_url: { url: `data:image/webp;base64,${Buffer.from('pixels').toString('base64')}` },
    });
    const { response_format: format, max_completion_tokens: limit } = body;
    assert.deepEqual([format.type, format.json_schema?.strict, limit], ['json_schema', true, 1_000]);
  });

  it('falls back to simpler parameters for an endpoint without strict schemas, and remembers it', async () => {
    server.behave(({ body }, response) => {
      if (body.response_format.type === 'json_schema') sendJson(response, { error: { message: 'unknown' } }, 400);
      else sendJson(response, completion({ content: good }));
    });
    const client = newClient();
    assert.equal((await client.ask(question)).kind, 'answer');
    assert.equal((await client.ask(question)).kind, 'answer');
    const asked = server.requests.map(({ body }) => [body.response_format.type, body.max_tokens]);
    assert.deepEqual(asked, [
      ['json_schema', undefined],
      ['json_object', 1_000],
      ['json_object', 1_000],
    ]);
  });

  it('estimates a high cost when the endpoint reports none, or an impossible one', async () => {
    assert.ok(guess > 3_000);
    for (const tokens of [null, 0, -5, 1.5, 1e300, '7']) {
      server.behave(says(good, tokens as number));
      assert.equal((await newClient().ask(question)).tokens, guess, String(tokens));
    }
  });
});

const wrong: Record<string, AiBehavior> = {
  'text around the JSON': says(`Here you are: ${good}`),
  'two objects': says(good + good),
  'another key': says(verdict({ winner: true })),
  'a score of 6': says(verdict({ score: 6 })),
  nothing: says(''),
  'no content': says(null),
  'a refusal': (_, response) => sendJson(response, completion({ content: good, message: { refusal: 'I cannot.' } })),
  'a tool call': (_, response) =>
    sendJson(response, completion({ content: good, message: { tool_calls: [{ id: 'x', type: 'function' }] } })),
  'a text that was cut off': (_, response) => sendJson(response, completion({ content: good, finish: 'length' })),
  'two choices': (_, response) => {
    const { choices } = completion({ content: good });
    sendJson(response, completion({ more: { choices: [...choices, ...choices] } }));
  },
  'no JSON': (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"score":'),
  'a page': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>5</h1>'),
};

function* endless(): Generator<string> {
  for (;;) yield ' '.repeat(65_536);
}

describe('a wrong answer', () => {
  for (const [name, behavior] of Object.entries(wrong)) {
    it(name, async () => {
      server.behave(behavior);
      const { kind, tokens } = await newClient().ask(question);
      assert.equal(kind, 'wrong');
      assert.ok(tokens > 0);
      assert.equal(server.requests.length, 1, 'not asked again');
    });
  }

  it('of megabytes is not read to its end', async () => {
    server.behave((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      // Without an end, as long as somebody reads.
      Readable.from(endless()).pipe(response);
    });
    const { kind, problem } = (await newClient().ask(question)) as { kind: string; problem: string };
    assert.deepEqual([kind, problem], ['wrong', 'no complete answer']);
  });
});

describe('an endpoint that does not answer', () => {
  const statuses: [number, Record<string, string>, number | undefined][] = [
    [307, { location: `${server.url}/elsewhere` }, undefined],
    [401, {}, undefined],
    [429, { 'retry-after': '90' }, 90_000],
    [429, { 'retry-after': '99999999' }, 3_600_000],
    [503, {}, undefined],
  ];
  for (const [status, headers, retryAfterMs] of statuses) {
    it(`status ${status} ${headers['retry-after'] ?? ''}`, async () => {
      server.behave((_, response) => sendJson(response, { error: { message: `Wrong key ${KEY}` } }, status, headers));
      const expected = { kind: 'unavailable', problem: `status ${status}`, tokens: 0 };
      assert.deepEqual(await newClient().ask(question), {
        ...expected,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      });
      assert.equal(server.requests.length, 1, 'not asked again');
    });
  }

  const silent: Record<string, AiBehavior> = {
    'says nothing': () => {},
    'drips its answer': async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    },
  };
  for (const [name, behavior] of Object.entries(silent)) {
    it(`one that ${name} is ended by the time limit, which covers the last byte`, async () => {
      server.behave(behavior);
      const answer = await newClient().ask({ ...question, timeoutMs: 300 });
      assert.deepEqual(answer, { kind: 'unavailable', problem: 'no answer in time', tokens: guess });
    });
  }

  it('one that closes the connection, or does not exist, costs nothing', async () => {
    server.behave((_, response) => void response.destroy());
    for (const url of [server.url, `http://127.0.0.1:${await freePort()}/v1`]) {
      const answer = await newClient(url).ask(question);
      assert.deepEqual(answer, { kind: 'unavailable', problem: 'not reached', tokens: 0 });
    }
  });
});
