import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, it } from 'node:test';
import { hexToBigInt, recoverTypedDataAddress, sliceHex, type Hex } from 'viem';
import { networks } from '../chain/networks.ts';
import { rpcClient } from '../devnet/chain-rpc.ts';
import { type OutgoingTransfer, SignerRefused, SignerUnavailable, type Treasury } from './types.ts';
import { rpcProxy, type RpcRequest, sendJson, serveHttp } from '../../test/support/servers/http-server.ts';
import { OTHER_ADDRESS, SIGNER_ADDRESS, SIGNER_KEY, startSigner } from '../../test/support/servers/signer.ts';
import { createRemoteTreasury } from './remote-treasury.ts';
import { createTreasury } from './treasury.ts';

const network = networks['eip155:84532'];
const signerUrl = await startSigner();
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const transfer: OutgoingTransfer = {
  kind: 'payout',
  subjectId: '0192f0c1-2f00-7000-8000-000000000001',
  network: network.id,
  asset: network.usdc.address,
  recipient: `0x${'12'.repeat(20)}`,
  amountMicro: 4_750_000,
  nonce: `0x${'ab'.repeat(32)}`,
  validBefore: 1_900_000_000,
};

type Signed = { authorization: { from: Hex; nonce: string }; signature: Hex };

const drivers: Record<string, Treasury> = {
  'its key': createTreasury(SIGNER_KEY),
  'a remote signer': createRemoteTreasury({ url: signerUrl, address: SIGNER_ADDRESS }),
};
for (const [name, treasury] of Object.entries(drivers))
  it(`the treasury with ${name} signs exactly the transfer, in the form that the token takes`, async () => {
    assert.equal(treasury.address, SIGNER_ADDRESS);
    const { payload } = await treasury.authorize(transfer);
    const { authorization, signature } = payload.payload as Signed;
    const message = {
      to: transfer.recipient as Hex,
      value: 4_750_000n,
      validAfter: 0n,
      validBefore: 1_900_000_000n,
      nonce: transfer.nonce as Hex,
    };
    const { from, ...rest } = authorization;
    assert.equal(from.toLowerCase(), SIGNER_ADDRESS);
    assert.deepEqual(rest, { ...message, value: '4750000', validAfter: '0', validBefore: '1900000000' });
    const fields = { from: 'address', to: 'address', value: 'uint256', validAfter: 'uint256', validBefore: 'uint256' };
    const types = Object.entries({ ...fields, nonce: 'bytes32' }).map(([field, type]) => ({ name: field, type }));
    const { address: verifyingContract, ...token } = network.usdc;
    const recovered = await recoverTypedDataAddress({
      domain: { name: token.name, version: token.version, chainId: network.chainId, verifyingContract },
      types: { TransferWithAuthorization: types },
      primaryType: 'TransferWithAuthorization',
      message: { from, ...message },
      signature,
    });
    assert.equal(recovered.toLowerCase(), SIGNER_ADDRESS);
    assert.ok(hexToBigInt(sliceHex(signature, 32, 64)) <= ORDER / 2n);
    assert.match(signature, /1[bc]$/);
  });

describe('the treasury with a remote signer', async () => {
  const signer = rpcClient(signerUrl);
  const remote = (url: string, timeoutMs?: number) =>
    createRemoteTreasury({ url, address: SIGNER_ADDRESS, ...(timeoutMs ? { timeoutMs } : {}) });
  type Answer = (request: RpcRequest, response: ServerResponse) => boolean | Promise<boolean>;
  const between = async (answer: Answer) => remote(await rpcProxy(signerUrl, answer));
  const fails = (response: ServerResponse, status: number, code: number, message: string) => {
    sendJson(response, status, { jsonrpc: '2.0', id: 1, error: { code, message } });
    return true;
  };

  it('asks by eth_signTypedData a signer that knows only that', async () => {
    // Web3Signer passes unknown methods on to its node, and answers 502 without one.
    const unknown = {
      'not found': [200, -32_601],
      'not supported': [200, -32_004],
      'no node': [502, -32_000],
    } as const;
    for (const [message, [status, code]] of Object.entries(unknown)) {
      const asked: string[] = [];
      const older = await between(async ({ method, params }, response) => {
        asked.push(method);
        if (method === 'eth_signTypedData_v4') return fails(response, status, code, message);
        sendJson(response, 200, { jsonrpc: '2.0', id: 1, result: await signer('eth_signTypedData_v4', params) });
        return true;
      });
      assert.deepEqual(await older.authorize(transfer), await createTreasury(SIGNER_KEY).authorize(transfer));
      await older.authorize(transfer);
      assert.deepEqual(asked, ['eth_signTypedData_v4', 'eth_signTypedData', 'eth_signTypedData'], message);
    }
  });

  it('uses no signature but the one of the treasury, for this transfer, with a low s', async () => {
    const right = (await signer('eth_signTypedData_v4', await paramsOf(between))) as Hex;
    const highS = (ORDER - BigInt(`0x${right.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const otherV = right.endsWith('1b') ? '1c' : '1b';
    const [address, text] = await paramsOf(between);
    const answers: Record<string, unknown> = {
      'another account': await signer('eth_signTypedData_v4', [OTHER_ADDRESS, text]),
      'another amount': await signer('eth_signTypedData_v4', [address, text.replace('4750000', '9750000')]),
      'another token': await signer('eth_signTypedData_v4', [address, text.replace(/0x036c\w+/i, OTHER_ADDRESS)]),
      'a high s': `${right.slice(0, 66)}${highS}${otherV}`,
      'another v': right.slice(0, -2) + otherV,
      'v of EIP-155': `${right.slice(0, -2)}9c`,
      zeros: `0x${'00'.repeat(65)}`,
      'a compact signature': right.slice(0, -2),
      'no text': { signature: right },
      null: null,
    };
    for (const [name, result] of Object.entries(answers)) {
      const wrong = await between((_, response) => {
        sendJson(response, 200, { jsonrpc: '2.0', id: 1, result });
        return true;
      });
      await assert.rejects(wrong.authorize(transfer), { name: 'SignerUnavailable' }, name);
    }
    const v0 = await between((_, response) => {
      const result = right.slice(0, -2) + (right.endsWith('1b') ? '00' : '01');
      sendJson(response, 200, { jsonrpc: '2.0', id: 1, result });
      return true;
    });
    assert.deepEqual(await v0.authorize(transfer), await createTreasury(SIGNER_KEY).authorize(transfer));
  });

  it('says that a signer is away, slow, or refuses, and repeats no credentials', async () => {
    const gone = remote('http://user:canary@127.0.0.1:1/key/canary');
    const hanging = remote(await serveHttp(() => {}), 200);
    const broken = remote(`${await serveHttp((_, response) => void response.writeHead(500).end('oops'))}/canary`);
    const moved = remote(await serveHttp((_, response) => void response.writeHead(307, { location: signerUrl }).end()));
    const refusing = await between((_, response) => fails(response, 403, -32_000, 'over the limit of the day'));
    for (const treasury of [gone, hanging, broken, moved]) {
      for (const call of [treasury.authorize(transfer), treasury.check!()]) {
        const error: unknown = await call.then(
          () => null,
          (cause: unknown) => cause,
        );
        assert.ok(error instanceof SignerUnavailable && !(error instanceof SignerRefused));
        assert.doesNotMatch(inspect(error, { depth: 9 }), /canary/);
      }
    }
    await assert.rejects(refusing.authorize(transfer), {
      name: 'SignerRefused',
      message: 'the signer does not sign: over the limit of the day (-32000)',
    });
  });

  it('logs in with the user and the password of the address, or with its token', async () => {
    const sent: (string | undefined)[] = [];
    const url = await serveHttp(async ({ body, headers }, response) => {
      sent.push(headers.authorization);
      const { method, params } = JSON.parse(body) as RpcRequest;
      sendJson(response, 200, { jsonrpc: '2.0', id: 1, result: await signer(method, params) });
    });
    for (const credentials of ['', 'us%20er:pass@', 'token@'])
      await remote(url.replace('//', `//${credentials}`)).authorize(transfer);
    const basic = `Basic ${Buffer.from('us er:pass').toString('base64')}`;
    assert.deepEqual(sent, [undefined, basic, 'Bearer token']);
  });

  it('checks that the signer has the key of the treasury, if it lists its keys', async () => {
    await remote(signerUrl).check!();
    const other = createRemoteTreasury({ url: signerUrl, address: `0x${'12'.repeat(20)}` });
    await assert.rejects(other.check!(), /does not have the key of TREASURY_ADDRESS/);
    const silent = await between(
      ({ method }, response) => method === 'eth_accounts' && fails(response, 200, -32_601, 'Method not found'),
    );
    await silent.check!();
  });
});

/** Returns what the service sends to a signer: the address, and the typed data as text. */
async function paramsOf(between: (answer: (request: RpcRequest) => boolean) => Promise<{ authorize: Function }>) {
  let seen: unknown[] = [];
  const treasury = await between(({ params }) => {
    seen = params;
    return false;
  });
  await treasury.authorize(transfer);
  return seen as [string, string];
}
