import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

test('the demo uses the server that listens on PORT', async (t) => {
  // This server only answers the health check, so the demo fails at its first call.
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/healthz' ? 200 : 404).end();
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const demo = spawn(process.execPath, [join(import.meta.dirname, 'demo.ts')], {
    env: { ...process.env, PORT: String(port), SERVER_URL: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [output, [code]] = await Promise.all([text(demo.stdout), once(demo, 'exit')]);
  assert.match(output, new RegExp(`^Using the server at http://127\\.0\\.0\\.1:${port}\\.`));
  assert.equal(code, 1);
});
