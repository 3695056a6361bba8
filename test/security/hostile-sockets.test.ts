import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import { type Answer, patiently } from '../support/clients/client.ts';
import { checkAnswer } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { registerAgent } from '../support/clients/journey.ts';
import { exchange, openConnection, type RawConnection } from '../support/clients/raw-http.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// Bytes that no honest client sends. The service answers them, and the next request as usual.

const { url } = await sharedWorld();
const { key } = await registerAgent(url);
const host = new URL(url).host;
const API = '/api/v1';

/** Returns the head of a request. A test can change or omit each header. */
function head(method: string, path: string, headers: Record<string, string> = {}): string {
  const lines = { Host: host, Connection: 'close', ...headers };
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
}

const json = { 'Content-Type': 'application/json' };
const authorized = { Authorization: `Bearer ${key}` };
const me = (headers: Record<string, string>) => head('GET', `${API}/agents/me`, headers);
const getMe = me({ ...authorized, Connection: 'keep-alive' });
const createAgent = (headers: Record<string, string>) => head('POST', `${API}/agents/create`, { ...json, ...headers });

async function one(text: string | Uint8Array): Promise<Answer> {
  const answers = await exchange(url, text);
  assert.equal(answers.length, 1, JSON.stringify(String(text).slice(0, 200)));
  const answer = answers[0]!;
  checkAnswer('GET', '/no/route/of/it', answer);
  return answer;
}

async function statusOf(text: string): Promise<number | undefined> {
  const [answer] = await exchange(url, text);
  return answer?.status;
}

/** Opens a connection, and another one while the service is overloaded. */
async function talk(work: (connection: RawConnection) => Promise<Answer[]>): Promise<Answer[]> {
  return await patiently(
    async () => await work(await openConnection(url)),
    (answers) => answers.map(({ body }) => String(body?.error?.message)).join(),
  );
}

// The service waits 5 s for the end of the headers. The other tests run meanwhile.
const withoutEnd = talk(async (connection) => {
  connection.send(`GET ${API}/agents/me HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
  const drip = setInterval(() => connection.send('x'), 300);
  return await connection.answers().finally(() => clearInterval(drip));
});

// After any input, the service answers the next request normally.
afterEach(async () => {
  assert.equal(await statusOf(me(authorized)), 200);
});

describe('bytes that are not HTTP', () => {
  it('get an answer in the envelope and the end of the connection', async () => {
    const garbage = [
      '\r\n\r\nhello\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'G@T / HTTP/1.1\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: ${host}\r\nBad Header: 1\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${host}\r\n folded\r\n\r\n`,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
      '{"json":"rpc"}\n',
      `GET /\u0000 HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      `GET /é HTTP/1.1\r\nHost: ${host}\r\nX: \u0001\r\n\r\n`,
    ];
    for (const text of garbage) codeIs(await one(text), 400, 'VALIDATION_ERROR', /^Validation failed: request: /);
    for (let time = 0; time < 20; time += 1) {
      const answers = await exchange(url, Buffer.concat([randomBytes(400), Buffer.from('\r\n\r\n')]));
      assert.ok(answers.length <= 1 && answers.every(({ status }) => status === 400));
    }
  });

  it('end the connection even if the client does not end its side', async () => {
    const [answer] = await talk(async (connection) => {
      connection.send('nonsense\r\n\r\n');
      // The client keeps sending. Only closing both directions stops it.
      const sending = setInterval(() => connection.send('x'), 50);
      connection.socket.allowHalfOpen = true;
      return await connection.answers().finally(() => clearInterval(sending));
    });
    assert.equal(answer!.status, 400);
  });

  it('cannot open a tunnel or an upgrade', async () => {
    codeIs(await one(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`), 400, 'VALIDATION_ERROR', /not a proxy/);
    const upgrade = {
      Connection: 'close, Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'x',
      'Sec-WebSocket-Version': '13',
    };
    codeIs(await one(me(upgrade)), 401, 'UNAUTHORIZED');
  });
});

describe('a request target', () => {
  it('that leads out of the API, or twice into it, is NOT_FOUND or not a URL', async () => {
    const paths = [
      '/../../etc/passwd',
      '/api/v1/../../../etc/passwd',
      '/api/v1/%2e%2e/%2e%2e/etc/passwd',
      '//etc/passwd',
      '//api/v1/agents/me',
      '/api//v1/agents/me',
      '/api/v1/agents/me/.',
      '/api/v1/agents/me%00',
      '/.git/config',
      '/api/v1/agents/%zz',
      '/storage/../../etc/passwd',
      '/docs/..%2f..%2fpackage.json',
      `/${'a/'.repeat(3000)}`,
    ];
    for (const path of paths) codeIs(await one(head('GET', path, authorized)), 404, 'NOT_FOUND');
    for (const path of ['/api/v1\\agents\\me', '\\', 'agents/me', '?', 'http://', 'http://[/', '*'])
      codeIs(await one(head('GET', path)), 400, 'VALIDATION_ERROR');
  });

  it('of the storage is exactly as issued, or refused', async () => {
    const forged = 'type=image%2Fpng&size=2&expires=9999999999&signature=';
    for (const path of [
      '/storage/uploads/x.png',
      '/storage/uploads/../../etc/passwd',
      '/storage/uploads/%2e%2e/%2e%2e/etc/passwd',
      '/storage/uploads/..%2f..%2fetc%2fpasswd',
      `/storage/uploads/a/b.png?${forged}${'0'.repeat(64)}`,
      `/storage/uploads/a/b.png?${forged}${forged}`,
      '/storage/',
      '/storage/uploads/%00',
    ]) {
      const [answer] = await exchange(
        url,
        `${head('PUT', path, { 'Content-Length': '2', 'Content-Type': 'image/png' })}{}`,
      );
      assert.ok(
        (answer!.status === 403 && answer!.body.error.code === 'UNAUTHORIZED') || answer!.status === 404,
        `${path} ${answer!.status}`,
      );
    }
  });

  it('can be an absolute URL, and is read like any other', async () => {
    for (const target of [`http://somewhere.else${API}/agents/me`, `${API}/agents/%6d%65`])
      assert.equal(await statusOf(head('GET', target, authorized)), 200);
  });

  it('needs a valid Host', async () => {
    codeIs(await one(`GET ${API}/agents/me HTTP/1.1\r\nConnection: close\r\n\r\n`), 400, 'VALIDATION_ERROR', /Host/);
    for (const bad of ['a b', 'a/b', 'a@b', '[::1', 'a:b:c', '<script>'])
      codeIs(await one(me({ Host: bad })), 400, 'VALIDATION_ERROR');
    codeIs((await exchange(url, `GET ${API}/agents/me HTTP/1.0\r\n\r\n`))[0]!, 401, 'UNAUTHORIZED');
  });
});

describe('headers', () => {
  it('of more than 16 KB are 431', async () => {
    const many = Object.fromEntries(Array.from({ length: 1200 }, (_, n) => [`X-${n}`, 'some value']));
    for (const text of [me({ 'X-Long': 'x'.repeat(17_000) }), me(many), head('GET', `/?${'x'.repeat(17_000)}`)])
      codeIs(await one(text), 431, 'VALIDATION_ERROR', /headers of at most 16 KB/);
    assert.equal(await statusOf(me({ ...authorized, 'X-Long': 'x'.repeat(12_000) })), 200);
  });

  it('do not identify two callers if they are repeated', async () => {
    const twice = `GET ${API}/agents/me HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nAuthorization: Bearer other\r\n\r\n`;
    codeIs((await exchange(url, twice))[0]!, 401, 'UNAUTHORIZED');
  });

  it('may include Expect; an unknown expectation does not fail the request', async () => {
    const [continued] = await exchange(url, `${createAgent({ Expect: '100-continue', 'Content-Length': '2' })}{}`);
    codeIs(continued!, 400, 'VALIDATION_ERROR', /agent_name: required/);
    assert.equal(await statusOf(me({ ...authorized, Expect: 'the unexpected' })), 200);
  });
});

describe('a body on the wire', () => {
  it('is refused at once if its declared length is absurd', async () => {
    for (const length of ['262145', '99999999999', '9007199254740993'])
      codeIs(await one(createAgent({ 'Content-Length': length })), 413, 'VALIDATION_ERROR', /at most 262144 bytes/);
    for (const length of ['-1', '1.5', 'x', '0x10', '99999999999999999999999', '1, 2'])
      codeIs(await one(createAgent({ 'Content-Length': length })), 400, 'VALIDATION_ERROR');
  });

  it('with two lengths is refused, so that it smuggles no request', async () => {
    const smuggled = `0\r\n\r\nGET ${API}/agents/me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    codeIs(
      await one(createAgent({ 'Content-Length': String(smuggled.length), 'Transfer-Encoding': 'chunked' }) + smuggled),
      400,
      'VALIDATION_ERROR',
    );
    codeIs(await one(createAgent({ 'Transfer-Encoding': 'xchunked' }) + smuggled), 400, 'VALIDATION_ERROR');
  });

  it('can be chunked, has the same limit of 256 KB, and needs valid chunks', async () => {
    const chunked = createAgent({ 'Transfer-Encoding': 'chunked' });
    codeIs(await one(`${chunked}1\r\n{\r\n1;ext=1\r\n}\r\n0\r\n\r\n`), 400, 'VALIDATION_ERROR', /agent_name: required/);
    codeIs(await one(`${chunked}zz\r\n{}\r\n0\r\n\r\n`), 400, 'VALIDATION_ERROR');
    // The client sends more than the limit, and does not end.
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    codeIs(await one(chunked + chunk.repeat(17)), 413, 'VALIDATION_ERROR');
  });

  it('that is cut short, or refused unread, affects no other connection', async () => {
    const connection = await openConnection(url);
    connection.send(`${createAgent({ 'Content-Length': '100' })}{"agent_name":`);
    connection.socket.destroy();
    const body = 'x'.repeat(60_000);
    const length = { Connection: 'keep-alive', 'Content-Length': String(body.length) };
    const unread = head('POST', `${API}/agents/me/keys`, { ...json, ...length }) + body;
    const [refused, served] = await talk(async (keptAlive) => {
      keptAlive.send(unread + getMe);
      return await keptAlive.next(2).finally(() => keptAlive.socket.destroy());
    });
    codeIs(refused!, 401, 'UNAUTHORIZED');
    assert.equal(served!.status, 200);
  });
});

describe('a connection', () => {
  it('can carry pipelined requests, answered in their order', async () => {
    const nowhere = head('GET', '/nowhere', { Connection: 'keep-alive' });
    const answers = await exchange(url, getMe + nowhere + getMe.repeat(13) + getMe.replace('keep-alive', 'close'));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404, ...Array.from({ length: 14 }, () => 200)],
    );
    assert.equal(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size, answers.length);
  });

  it('without complete headers is closed', async () => {
    const [answer] = await withoutEnd;
    codeIs(answer!, 408, 'VALIDATION_ERROR', /did not arrive in time/);
  });
});
