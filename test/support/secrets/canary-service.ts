import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { generatePrivateKey } from 'viem/accounts';
import { testDatabase } from '../test-database.ts';
import { freePort } from '../../../server/devnet/child-process.ts';
import { completion, sendJson, startAiServer, verdict } from '../servers/ai-server.ts';
import type { Canaries } from './canaries.ts';
import { MAIN, startScript, untilReady } from '../processes/processes.ts';
import { removeFolder } from '../remove-folder.ts';

/** Starts the service in a separate process, with a webhook receiver, a model, and known secrets. */
export async function startWithCanaries() {
  const canaries: Canaries = new Map();
  const plant = <Secret extends string>(name: string, secret: Secret): Secret => {
    assert.ok(secret.length >= 32, name);
    canaries.set(name, secret);
    return secret;
  };
  const hex = (bytes: number) => randomBytes(bytes).toString('hex');

  const folder = await mkdtemp(join(tmpdir(), 'concours-canaries-'));
  const told: { headers: string; body: string }[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      told.push({ headers: request.rawHeaders.join('\n'), body: Buffer.concat(chunks).toString() });
      response.writeHead(request.url === '/fails' ? 500 : 200, { 'content-type': 'text/plain' }).end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const model = await startAiServer();
  model.behave((_, response) => sendJson(response, completion({ content: verdict(4) })));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const treasuryKey = generatePrivateKey();
  const operatorKey = plant("the operator's key", `op_${randomBytes(32).toString('base64url')}`);
  // Hooks run in the order of their registration, and the service must end before its database.
  const closers: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });
  closers.push(() => removeFolder(folder));
  const { db, url: databaseUrl } = await testDatabase();
  const many = ['AGENT_OPERATIONS_PER_HOUR', 'AGENT_ACCOUNT_PER_MINUTE', 'AGENT_READS_PER_MINUTE', 'POSTER_PER_MINUTE'];
  const service = startScript(MAIN, [], {
    env: {
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      LOG_LEVEL: 'debug',
      TREASURY_KEY: plant("the treasury's key", treasuryKey),
      FACILITATOR_KEY: plant("the facilitator's key", generatePrivateKey()),
      SECRETS_KEY: plant('the key of all secrets', hex(32)),
      OPERATOR_KEY: operatorKey,
      AI_URL: model.url,
      AI_MODEL: 'judge-1',
      AI_KEY: plant("the model's key", `sk-${hex(24)}`),
      ...Object.fromEntries(many.map((name) => [`LIMIT_${name}`, '100000'])),
    },
  });
  closers.push(async () => {
    await service.kill('SIGTERM');
    receiver.close();
  });
  await untilReady(service, url);
  return { canaries, plant, url, db, hook, told, model, service, operatorKey, treasuryKey };
}
