import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { freePort } from '../../server/devnet/child-process.ts';
import { openStream } from '../support/clients/event-stream.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { call } from '../support/clients/client.ts';
import { type RunningProcess, until, untilReady, watchProcess } from '../support/processes/processes.ts';
import { deployedWorld, playProject, productionProcess } from '../support/worlds/deployed-world.ts';

// Debian's nginx and Caddy with the files of deploy/proxies, before an api and a worker in production, and before the store.

const PROXIES = join(import.meta.dirname, '..', '..', 'deploy', 'proxies');
const MOST_REGISTRATIONS = 6;

type Addresses = { port: number; service: string; s3: string; bucket: string };
type Proxy = {
  name: string;
  pageWhileDown: boolean;
  command: (folder: string, at: Addresses) => Promise<[string, string[], object?]>;
};

const nginx: Proxy = {
  name: 'nginx',
  pageWhileDown: false,
  async command(folder, { port, service, s3, bucket }) {
    const server = (await readFile(join(PROXIES, 'nginx.conf'), 'utf8'))
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
      .replaceAll(/ssl_certificate.*\n/g, '')
      .replace('127.0.0.1:4020', service)
      .replace('127.0.0.1:7070', s3)
      .replace('/concours/', `/${bucket}/`);
    await writeFile(join(folder, 'server.conf'), server);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    await writeFile(
      join(folder, 'nginx.conf'),
      `daemon off; user root; pid ${folder}/pid; error_log stderr; events {}
       http { access_log off; ${temporary.join(' ')} include ${folder}/server.conf; }`,
    );
    return ['nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]];
  },
};

const caddy: Proxy = {
  name: 'Caddy',
  pageWhileDown: true,
  async command(folder, { port, service, s3, bucket }) {
    // A site with `http` gets no certificate. Its admin interface would be on a port that other Caddys have.
    const site = { SITE: `http://127.0.0.1:${port}`, SERVICE: service, S3: s3, S3_BUCKET: bucket };
    const file = `{\n\tadmin off\n}\n${await readFile(join(PROXIES, 'Caddyfile'), 'utf8')}`;
    await writeFile(join(folder, 'Caddyfile'), file);
    const pages = join(PROXIES, '..', 'compose');
    const env = { ...site, PAGES: pages, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
    return ['caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], env];
  },
};

/** Sends a request from an address of this machine, as another client of the proxy. */
async function from(localAddress: string, url: string, { method = 'GET', headers = {}, body = '' } = {}) {
  const sent = request(url, { localAddress, method, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}

for (const { name, command, pageWhileDown } of [nginx, caddy]) {
  describe(`the file of ${name}`, async () => {
    const world = await deployedWorld();
    const folder = await mkdtemp(join(tmpdir(), 'concours-proxy-'));
    const [port, apiPort, workerPort] = [await freePort(), await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const { S3_ENDPOINT, S3_BUCKET: bucket } = world.settings;
    let proxy: RunningProcess;

    const launch = (role: 'api' | 'worker', ownPort: number) =>
      world.start(
        productionProcess(role, {
          S3_PUBLIC_ENDPOINT: url,
          TRUSTED_PROXIES: '127.0.0.1/32',
          LIMIT_REGISTRATIONS_PER_HOUR: String(MOST_REGISTRATIONS),
          PORT: String(ownPort),
        }),
      );

    before(async () => {
      const at = { port, service: `127.0.0.1:${apiPort}`, s3: new URL(S3_ENDPOINT).host, bucket };
      const [program, args, env = {}] = await command(folder, at);
      const { PATH } = process.env;
      proxy = watchProcess(spawn(program, args, { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }));
    });
    after(async () => {
      await proxy.kill('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    });

    if (pageWhileDown)
      it('says what to do while the service does not run', async () => {
        const page = await until('the proxy', async () =>
          fetch(url, { headers: { accept: 'text/html' } }).catch(() => null),
        );
        assert.match(await page.text(), /OPERATOR_KEY/);
        assert.equal(page.status, 502);
      });

    it('carries a whole project with a picture of 20 MB', async () => {
      const [api, worker] = [launch('api', apiPort), launch('worker', workerPort)];
      await Promise.all([untilReady(api, url), untilReady(worker, worker.url)]);
      const picture = await pictureOf(20 * 1024 * 1024);
      const { entrant } = await playProject(world, url, picture);
      const own = await call(url, 'GET', `/agents/me/submissions/${entrant.submissionId}/files`, { key: entrant.key });
      const [file] = expectStatus(own, 200).body.data.files;
      const original = await fetch(file.url.replace('https://market.example', url));
      assert.ok(Buffer.from(await original.arrayBuffer()).equals(picture));
      assert.ok(picture.length > 20_000_000);
      const listing = await fetch(`${url}/${bucket}/`);
      assert.ok([403, 404].includes(listing.status), 'nothing but uploads reaches the store');
      assert.doesNotMatch(await listing.text(), /<\?xml/);
    });

    it('passes on large bodies, long headers, and events at once', async () => {
      const { key } = await registerAgent(url);
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const tool = { name: 'get_terms', arguments: { project_id: 'A'.repeat(2 * 1024 * 1024 - 1_000) } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool });
      const accept = 'application/json, text/event-stream';
      const mcp = await fetch(`${url}/mcp`, { method: 'POST', headers: { ...headers, accept }, body });
      assert.equal(mcp.status, 200, await mcp.text());
      const long = await fetch(`${url}/api/v1/network`, { headers: { 'payment-signature': 'A'.repeat(12 * 1024) } });
      assert.equal(long.status, 200, await long.text());
      const stream = await openStream(url, '/agents/me/events?after=now', headers);
      await call(url, 'POST', '/agents/me/keys', { key, body: { name: 'reader', scope: 'read' } });
      await until('the event', async () => stream.events.some(({ type }) => type === 'KEY.CREATED'));
      stream.close();
    });

    it('names each client, whatever the client says', async () => {
      const register = async (address: string, says: string) => {
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': says };
        const body = JSON.stringify({ poster_name: 'A poster' });
        return (await from(address, `${url}/api/v1/posters/create`, { method: 'POST', headers, body })).statusCode;
      };
      const own: (number | undefined)[] = [];
      for (let index = 0; index <= MOST_REGISTRATIONS; index += 1)
        own.push(await register('127.0.0.2', `203.0.113.${index}`));
      assert.deepEqual(own, [...Array<number>(MOST_REGISTRATIONS).fill(201), 429]);
      assert.equal(await register('127.0.0.3', '203.0.113.0'), 201);
    });
  });
}

/** Returns a PNG of noise, which has nearly this many bytes. A picture has at most 2048 pixels on a side: 6 bytes for each. */
async function pictureOf(bytes: number): Promise<Buffer<ArrayBuffer>> {
  const side = Math.floor(Math.sqrt(bytes / 6.05));
  const noise = new Uint16Array(side * side * 3);
  for (let offset = 0; offset < noise.length; offset += 32_768)
    crypto.getRandomValues(noise.subarray(offset, offset + 32_768));
  const picture = sharp(noise, { raw: { width: side, height: side, channels: 3 } }).toColourspace('rgb16');
  return Buffer.from(await picture.png({ compressionLevel: 0 }).toBuffer());
}
