import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { concatHex, getCreate2Address, type Hex, pad, parseAbiParameters, encodeAbiParameters, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import pino from 'pino';
import testWallet from '../devnet/test-wallet.json' with { type: 'json' };
import { ChainUnavailable } from '../ports/chain.ts';
import { createEvmChain } from './evm-chain.ts';
import { rpcProxy, sendJson, serveHttp } from '../../test/support/servers/http-server.ts';
import { network, paymentWorld } from '../../test/support/worlds/payment-world.ts';

const log = pino({ level: 'silent' });
const message = 'Link this wallet.\n\nNonce: 1';

/** Every anvil chain has this contract. It deploys the code that it receives, with a salt. */
const DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const ERC6492_SUFFIX = `0x${'6492'.repeat(16)}` as const;

/** The signature format of TestWallet: one byte, then the signature. */
const wrapped = (signature: Hex): Hex => `0x01${signature.slice(2)}`;

describe('a signed message', async () => {
  const world = await paymentWorld();
  const { chain } = world.deps;
  const owner = privateKeyToAccount(generatePrivateKey());
  const stranger = privateKeyToAccount(generatePrivateKey());
  let contracts = 0;

  /** Deploys a contract with this code at a new address. */
  async function contractWith(code: string, ownerAddress?: Hex): Promise<string> {
    contracts += 1;
    const address = `0x00000000000000000000000000000000c0de${contracts.toString(16).padStart(4, '0')}`;
    await world.rpc('anvil_setCode', [address, code]);
    if (ownerAddress) await world.rpc('anvil_setStorageAt', [address, pad('0x0'), pad(ownerAddress)]);
    return address;
  }

  it('is verified by the key of its address, without a node', async () => {
    const offline = createEvmChain({ rpcUrl: 'http://127.0.0.1:1', network, log });
    const signature = await owner.signMessage({ message });
    assert.equal(await offline.verifyMessage({ address: owner.address.toLowerCase(), message, signature }), true);
    for (const signed of [
      { address: stranger.address.toLowerCase(), message, signature },
      { address: owner.address.toLowerCase(), message: `${message} `, signature },
      { address: owner.address.toLowerCase(), message, signature: signature.replace(/..$/, '02') },
      { address: owner.address.toLowerCase(), message, signature: '0x' },
      { address: owner.address.toLowerCase(), message, signature: `0x${'00'.repeat(65)}` },
      { address: owner.address.toLowerCase(), message, signature: `0x${'ff'.repeat(3000)}` },
    ])
      assert.equal(await chain.verifyMessage(signed), false);
  });

  it('is verified by the contract at its address', async () => {
    const address = await contractWith(testWallet.runtimeBytecode, owner.address);
    const signature = wrapped(await owner.signMessage({ message }));
    assert.equal(await chain.verifyMessage({ address, message, signature }), true);
    assert.equal(await chain.verifyMessage({ address, message: `${message}2`, signature }), false);
    const foreign = wrapped(await stranger.signMessage({ message }));
    assert.equal(await chain.verifyMessage({ address, message, signature: foreign }), false);
    // A plain signature of the owner is not valid for the contract.
    assert.equal(
      await chain.verifyMessage({ address, message, signature: await owner.signMessage({ message }) }),
      false,
    );
  });

  it('is verified by a contract that is not deployed yet, without deploying it', async () => {
    const runtime = testWallet.runtimeBytecode as Hex;
    const size = toHex((runtime.length - 2) / 2, { size: 2 });
    // sstore(0, owner); codecopy(0, 36, size); return(0, size)
    const init = concatHex(['0x73', owner.address, '0x600055', '0x61', size, '0x80602460003960', '0x00f3', runtime]);
    const salt = pad('0x01');
    const address = getCreate2Address({ from: DEPLOYER, salt, bytecode: init }).toLowerCase();
    const sign = async (by: typeof owner) => {
      const parts = [DEPLOYER, concatHex([salt, init]), wrapped(await by.signMessage({ message }))] as const;
      return concatHex([encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), parts), ERC6492_SUFFIX]);
    };
    assert.equal(await chain.verifyMessage({ address, message, signature: await sign(owner) }), true);
    assert.equal(await world.rpc('eth_getCode', [address, 'latest']), '0x');
    assert.equal(await chain.verifyMessage({ address, message, signature: await sign(stranger) }), false);
    // Another person's counterfactual wallet must not verify a message of this address.
    const another = owner.address.toLowerCase();
    assert.equal(await chain.verifyMessage({ address: another, message, signature: await sign(owner) }), false);
  });

  const hostile = {
    'returns 1 instead of the expected value': '0x600160005260206000f3',
    'returns nothing': '0x60006000f3',
    'returns the expected value without its padding': `0x631626ba7e60e01b60005260046000f3`,
    reverts: '0x60006000fd',
    'uses all the gas': '0x5b600056',
    'returns more data than the gas pays for': '0x63ffffffff6000f3',
  };
  for (const [what, code] of Object.entries(hostile)) {
    it(`is not verified by a contract that ${what}`, async () => {
      const address = await contractWith(code);
      const signature = wrapped(await owner.signMessage({ message }));
      assert.equal(await chain.verifyMessage({ address, message, signature }), false);
    });
  }

  it('throws, instead of returning false, while the node does not respond', async () => {
    const address = await contractWith(testWallet.runtimeBytecode, owner.address);
    const signed = { address, message, signature: wrapped(await owner.signMessage({ message })) };
    const limited = await rpcProxy(world.rpcUrl, ({ id }, response) => {
      sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32_005, message: 'limit exceeded' } });
      return true;
    });
    const broken = await serveHttp((_request, response) => void response.writeHead(502).end('bad gateway'));
    const hanging = await serveHttp(() => {});
    for (const rpcUrl of ['http://127.0.0.1:1', limited, broken, hanging]) {
      const sick = createEvmChain({ rpcUrl, network, log, timeoutMs: 100 });
      await assert.rejects(sick.verifyMessage(signed), ChainUnavailable, rpcUrl);
    }
  });
});
