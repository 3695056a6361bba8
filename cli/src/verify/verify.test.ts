import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { exitCodeOf } from '../exit-codes.ts';
import type { Manifest } from './manifest.ts';
import { verify } from './verify.ts';

const folder = await mkdtemp(join(tmpdir(), 'concours-verify-'));
after(() => rm(folder, { recursive: true }));

const address = (digit: string) => `0x${digit.repeat(40)}`;
const hash = (digit: string) => `0x${digit.repeat(64)}`;
const [asset, payer, treasury, payee, stranger] = ['a', 'b', 'c', 'd', 'e'].map(address) as [
  string,
  ...[string, string, string, string],
];

type Sent = { from: string; to: string; units: number };
const sent: Record<string, Sent> = {
  [hash('1')]: { from: payer, to: treasury, units: 2_000_000 },
  // The prize, and a small amount that waited for a transfer.
  [hash('2')]: { from: treasury, to: payee, units: 1_950_000 },
  [hash('3')]: { from: stranger, to: payee, units: 1_900_000 },
};

function receiptOf({ from, to, units }: Sent) {
  const topic = (of: string) => `0x${of.slice(2).padStart(64, '0')}`;
  const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const log = { address: asset, topics: [transfer, topic(from), topic(to)], data: `0x${units.toString(16)}` };
  return { status: '0x1', logs: [log] };
}

const KID = 'did:web:market.example#key-1';
const { publicKey, privateKey } = await generateKeyPair('EdDSA');

// The service with its keys, and a node.
let asked = 0;
const server = createServer((request, response) => {
  asked += 1;
  void (async () => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method === 'GET')
      return response.end(JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: KID }] }));
    const { method, params } = JSON.parse(body) as { method: string; params: [string] };
    const found = sent[params[0]];
    return response.end(JSON.stringify({ result: method === 'eth_chainId' ? '0x1' : found ? receiptOf(found) : null }));
  })();
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function manifestWith(change: Partial<Manifest> = {}): Promise<string> {
  const claims = { iss: service, files: [], network: 'eip155:1', asset, payer, payee, fee_tx: null, ...change };
  const money = { prize_tx: hash('1'), payout_tx: hash('2'), payout_micro: 1_900_000 };
  const path = join(folder, 'manifest.jwt');
  const signed = new CompactSign(Buffer.from(JSON.stringify({ ...money, ...claims })));
  const header = { alg: 'EdDSA', kid: KID, typ: 'concours-delivery+jwt' };
  await writeFile(path, await signed.setProtectedHeader(header).sign(privateKey));
  return path;
}

it('fetches nothing for an issuer that nobody vouches for', async () => {
  const manifest = await manifestWith();
  for (const trusted of [{}, { service: 'https://market.example' }]) {
    const error: unknown = await verify(manifest, [], trusted).catch((each: unknown) => each);
    assert.match(String(error), /nobody vouches for this issuer/);
    assert.equal(exitCodeOf(error), 2);
  }
  assert.equal((await verify(manifest, [], { issuer: 'https://market.example', service })).ok, false);
  assert.equal(asked, 0);
  for (const trusted of [{ issuer: `${service}/` }, { service }, { jwks: `${service}/keys` }])
    assert.equal((await verify(manifest, [], trusted)).ok, true);
});

it('accepts only a payout of at least the stated amount, from the treasury of the prize', async () => {
  const lies: Partial<Manifest>[] = [{ payout_tx: hash('3') }, { payout_micro: 1_950_001 }, { prize_tx: null }];
  for (const change of [{}, ...lies]) {
    const { ok, checks } = await verify(await manifestWith(change), [], { service, node: service });
    assert.equal(ok, Object.keys(change).length === 0, JSON.stringify([change, checks]));
  }
});
