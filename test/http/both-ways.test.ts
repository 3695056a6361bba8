import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { everyOperation } from '../support/clients/check-answer.ts';
import { registerAgent } from '../support/clients/journey.ts';
import { exchange } from '../support/clients/raw-http.ts';
import { exactAnswer, keyFor, newKeys } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';

// server/http/reader.ts answers simple reads without Hono. Each request goes to two copies of the service, one with the
// reader and one without. The copies start with the same state, so they have to give the same answers.

const { service, operatorKey, clock, url, errors } = await startWorld();
const keys = await newKeys({ url, operatorKey });
const standsAt = clock.now();

async function startCopy(withReader: boolean): Promise<{ url: string; readerAnswers: () => number }> {
  const { app } = await clock.at(standsAt, async () => createService(service.deps, { operatorKey }));
  let answers = 0;
  const answerRead: typeof app.answerRead = (incoming, outgoing) => {
    const isAnswered = withReader && app.answerRead(incoming, outgoing);
    if (isAnswered) answers += 1;
    return isAnswered;
  };
  const port = await freePort();
  const listener = await listen({ ...app, answerRead }, { host: '127.0.0.1', port });
  after(async () => {
    await listener.close(0);
    app.stop();
  });
  return { url: `http://127.0.0.1:${port}`, readerAnswers: () => answers };
}

const reader = await startCopy(true);
const router = await startCopy(false);

const reads = everyOperation.filter((spec) => spec.method === 'get' && !spec.params && !spec.developmentOnly);

/** Returns the answer as text after checking that both copies give the same one. */
async function sameAnswer(target: string, lines: string[], headOf = usualHead): Promise<string> {
  const answers = [];
  for (const copy of [reader, router]) {
    const [answer, ...more] = await clock.at(standsAt, () => exchange(copy.url, headOf(target, lines)));
    assert.ok(answer && more.length === 0, `${target} ${lines.join()}`);
    // Unlike other tests, this one also compares the state of each limit.
    const limits = [...answer.headers].filter(([name]) => name.includes('ratelimit'));
    // The chain may mine a block between the two requests, and each copy measures how long a part takes.
    const exact = exactAnswer(answer).replaceAll(/(\\"(?:block|seconds)\\":)[\d.e-]+/g, '$1');
    const isTimed = exact.includes('\\"seconds\\":');
    answers.push(`${isTimed ? exact.replace(/"content-length","\d+"/, '') : exact} ${JSON.stringify(limits)}`);
  }
  const [first, second] = answers;
  assert.equal(first, second, `${target} ${lines.join()}`);
  return first!;
}

function usualHead(target: string, lines: string[]): string {
  return ['GET ' + target + ' HTTP/1.1', 'Host: service.example', 'Connection: close', ...lines, '', ''].join('\r\n');
}

const bearer = (key: string) => `Authorization: Bearer ${key}`;

describe('a read that the reader answers', () => {
  for (const spec of reads) {
    const target = `/api/v1${spec.path}`;
    const { key } = keyFor(spec, keys);
    const credentials = key === undefined ? [] : [bearer(key)];

    it(`${spec.id} gets the same answer from the router`, async () => {
      const before = reader.readerAnswers();
      const requests: [target: string, lines: string[]][] = [
        [target, credentials],
        [`${target}?`, credentials],
        [`${target}?limit=1`, credentials],
        [`${target}?limit=1&limit=2`, credentials],
        [`${target}?limit=none&unknown=%E2%82%AC&%00=1`, credentials],
        [`${target}?cursor=x`, credentials],
        [target, []],
        [target, ['Authorization: Bearer wrong']],
        [target, ['Authorization: Basic d3Jvbmc6d3Jvbmc=']],
        [target, [...credentials, bearer('another')]],
        [target, [...credentials, 'Content-Length: 5', 'Content-Type: application/json', '', '{"a":']],
        [target, [...credentials, 'X-Forwarded-For: 203.0.113.7', 'Accept: text/html', 'Accept-Encoding: gzip, br']],
        [target, ['Cookie: poster_session=wrong', 'Origin: https://other.example', 'Sec-Fetch-Site: cross-site']],
        [target, ['Cookie: poster_session=one; poster_session=two']],
        [
          target,
          [...credentials, 'PAYMENT-SIGNATURE: x', 'Idempotency-Key: x', 'If-None-Match: *', 'Range: bytes=0-1'],
        ],
      ];
      for (const [each, lines] of requests) await sameAnswer(each, lines);
      assert.equal(reader.readerAnswers() - before, requests.length);
    });
  }

  it('gets the same 429 when its limit is used up', async () => {
    const { key } = await registerAgent(url);
    let refused = 0;
    for (let request = 0; request < 65; request += 1) {
      const answer = await sameAnswer('/api/v1/agents/projects?limit=1', [bearer(key)]);
      if (answer.startsWith('[429,')) refused += 1;
    }
    assert.equal(refused, 5);
  });
});

describe('a request that the reader leaves to the router', () => {
  it('gets the same answer', async () => {
    const before = reader.readerAnswers();
    const targets = [
      '/api/v1/agents/%70rojects',
      '/api/v1/agents/projects/',
      '/api/v1//agents/projects',
      '/api/v1/agents/./projects',
      '/api/v1/agents/x/../projects',
      'http://service.example/api/v1/agents/projects',
      '/api/v1/agents/projects/018f0000-0000-7000-8000-000000000000',
      '/api/v1/no/such/route',
      '/healthz',
    ];
    for (const target of targets) await sameAnswer(target, [bearer(keys.agent)]);
    const otherHead = (method: string, host: string) => (target: string, lines: string[]) =>
      [`${method} ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines, '', ''].join('\r\n');
    for (const [method, host] of [
      ['HEAD', 'service.example'],
      ['OPTIONS', 'service.example'],
      ['GET', 'exa mple'],
      ['GET', '[::1]:4020'],
      ['GET', 'SERVICE.example'],
    ] as const)
      await sameAnswer('/api/v1/agents/projects', [bearer(keys.agent)], otherHead(method, host));
    assert.equal(reader.readerAnswers(), before);
    assert.deepEqual(errors, []);
  });
});
