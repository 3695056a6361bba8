import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hexToBigInt, recoverTypedDataAddress, sliceHex, type Hex } from 'viem';
import { networks } from '../../../server/chain/networks.ts';
import type { OutgoingTransfer, Treasury } from '../../../server/x402/types.ts';

const network = networks['eip155:84532'];
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export const transfer: OutgoingTransfer = {
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

async function signedBy(treasury: Treasury, of: OutgoingTransfer): Promise<Signed> {
  const { payload } = await treasury.authorize(of);
  return payload.payload as Signed;
}

/** The cases that every driver of the treasury's key passes. */
export function treasuryCases(treasury: Treasury, address: string): void {
  it('signs exactly the transfer, in the form that the token takes', async () => {
    assert.equal(treasury.address, address);
    const { authorization, signature } = await signedBy(treasury, transfer);
    const message = {
      to: transfer.recipient as Hex,
      value: 4_750_000n,
      validAfter: 0n,
      validBefore: 1_900_000_000n,
      nonce: transfer.nonce as Hex,
    };
    const { from, ...rest } = authorization;
    assert.equal(from.toLowerCase(), address);
    assert.deepEqual(rest, { ...message, value: '4750000', validAfter: '0', validBefore: '1900000000' });
    const fields = { from: 'address', to: 'address', value: 'uint256', validAfter: 'uint256', validBefore: 'uint256' };
    const types = Object.entries({ ...fields, nonce: 'bytes32' }).map(([name, type]) => ({ name, type }));
    const { name, version, address: verifyingContract } = network.usdc;
    const signer = await recoverTypedDataAddress({
      domain: { name, version, chainId: network.chainId, verifyingContract },
      types: { TransferWithAuthorization: types },
      primaryType: 'TransferWithAuthorization',
      message: { from, ...message },
      signature,
    });
    assert.equal(signer.toLowerCase(), address);
    assert.ok(hexToBigInt(sliceHex(signature, 32, 64)) <= ORDER / 2n);
    assert.match(signature, /1[bc]$/);
  });

  it('signs many transfers at once, each with its own nonce', async () => {
    const nonces = Array.from({ length: 20 }, (_, index) => `0x${String(index).padStart(64, '0')}`);
    const signed = await Promise.all(nonces.map((nonce) => signedBy(treasury, { ...transfer, nonce })));
    assert.deepEqual(
      signed.map(({ authorization }) => authorization.nonce),
      nonces,
    );
  });
}
