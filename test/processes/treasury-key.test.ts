import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { startChain } from '../../server/devnet/chain.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { createLog } from '../../server/log.ts';
import { MAIN, type RunningProcess, startScript, untilReady } from '../support/processes/processes.ts';
import { testDatabase } from '../support/test-database.ts';
import { removeFolder } from '../support/remove-folder.ts';

// An `api` process of a production start has the treasury's address, and not its key.

const folder = await mkdtemp(join(tmpdir(), 'concours-treasury-'));
const started: RunningProcess[] = [];
const [facilitatorKey, treasuryKey] = [generatePrivateKey(), generatePrivateKey()];
// The bucket only has to exist.
const bucket = createServer((_, response) => response.writeHead(200).end());
await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
const chain = await startChain({
  dataDir: folder,
  facilitatorAddress: privateKeyToAddress(facilitatorKey),
  log: createLog('silent'),
  durable: false,
});
after(async () => {
  for (const running of started) await running.kill('SIGKILL');
  await chain.stop();
  bucket.close();
  await removeFolder(folder);
});
const { url: databaseUrl } = await testDatabase();
const env = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://market.example',
  DATABASE_URL: databaseUrl,
  S3_ENDPOINT: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
  S3_BUCKET: 'entries',
  S3_ACCESS_KEY_ID: 'AKTEST',
  S3_SECRET_ACCESS_KEY: 'SKTEST1234567890',
  NETWORK: 'eip155:84532' as const,
  RPC_URL: chain.rpcUrl,
  FACILITATOR_KEY: facilitatorKey,
  SECRETS_KEY: randomBytes(32).toString('hex'),
  OPERATOR_KEY: randomBytes(32).toString('base64url'),
};

async function start(role: string, more: Record<string, string>): Promise<{ running: RunningProcess; url: string }> {
  const port = await freePort();
  const running = startScript(MAIN, [`--role=${role}`], { env: { ...env, PORT: String(port), ...more } });
  started.push(running);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(running, url);
  return { running, url };
}

/** Returns whether the memory or the environment of a process holds the treasury's key, as text or as bytes. */
async function holdsKey({ child: { pid } }: RunningProcess): Promise<boolean> {
  const hex = treasuryKey.slice(2);
  const shapes = [Buffer.from(hex), Buffer.from(hex, 'utf16le'), Buffer.from(hex, 'hex')];
  if ((await readFile(`/proc/${pid}/environ`)).includes(shapes[0]!)) return true;
  const maps = (await readFile(`/proc/${pid}/maps`, 'latin1')).split('\n');
  const memory = await open(`/proc/${pid}/mem`);
  try {
    for (const line of maps) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (!from || !to) continue;
      const bytes = Buffer.alloc(parseInt(to, 16) - parseInt(from, 16));
      // A part that was never written, or is gone meanwhile, cannot be read.
      await memory.read(bytes, 0, bytes.length, parseInt(from, 16)).catch(() => {});
      if (shapes.some((shape) => bytes.includes(shape))) return true;
    }
    return false;
  } finally {
    await memory.close();
  }
}

it('an api has the treasury’s address, and nowhere its key; a worker has the key', async () => {
  const address = privateKeyToAddress(treasuryKey);
  const api = await start('api', { TREASURY_ADDRESS: address });
  const network = (await (await fetch(`${api.url}/api/v1/network`)).json()) as { data: { pay_to: string } };
  assert.equal(network.data.pay_to, address);
  assert.equal(await holdsKey(api.running), false);
  const worker = await start('worker', { TREASURY_KEY: treasuryKey, TREASURY_ADDRESS: address });
  assert.equal(await holdsKey(worker.running), true);
});

it('an api that still has the key starts, says so, and takes the address; another address is refused', async () => {
  const api = await start('api', { TREASURY_KEY: treasuryKey });
  assert.match(api.running.output(), /TREASURY_KEY: an api process does not need it; give it TREASURY_ADDRESS instead/);
  const wrong = startScript(MAIN, ['--role=worker'], {
    env: {
      ...env,
      TREASURY_KEY: treasuryKey,
      TREASURY_ADDRESS: `0x${'ab'.repeat(20)}`,
      PORT: String(await freePort()),
    },
  });
  assert.equal(await wrong.ended, 1);
  assert.match(wrong.output(), /TREASURY_ADDRESS: TREASURY_KEY belongs to another address/);
});
