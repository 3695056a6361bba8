import { concatHex, encodeAbiParameters, getCreate2Address, pad, parseAbiParameters, toHex, type Hex } from 'viem';
import testWallet from '../../../server/devnet/test-wallet.json' with { type: 'json' };
import type { Rpc } from '../../../server/devnet/chain-rpc.ts';

/** Every anvil chain has this contract. It deploys the code that it receives, with a salt. */
const DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const runtime = testWallet.runtimeBytecode as Hex;

/** The signature format of TestWallet: one byte, then the signature of its owner. */
export const wrapped = (signature: string): Hex => `0x01${signature.slice(2)}`;

/** Makes the address of the owner, read backwards, a TestWallet of that owner. */
export async function contractWallet(rpc: Rpc, owner: Hex): Promise<Hex> {
  const address = `0x${owner.toLowerCase().slice(2).split('').toReversed().join('')}` as const;
  await rpc('anvil_setCode', [address, runtime]);
  await rpc('anvil_setStorageAt', [address, pad('0x0'), pad(owner)]);
  return address;
}

/** A TestWallet that is not deployed yet. `sign` adds to a signature how it is deployed (ERC-6492). */
export function futureWallet(owner: Hex, salt: Hex) {
  const size = toHex((runtime.length - 2) / 2, { size: 2 });
  // sstore(0, owner); codecopy(0, 36, size); return(0, size)
  const init = concatHex(['0x73', owner, '0x600055', '0x61', size, '0x80602460003960', '0x00f3', runtime]);
  return {
    address: getCreate2Address({ from: DEPLOYER, salt, bytecode: init }),
    sign(signature: string, factory: Hex = DEPLOYER): Hex {
      const parts = [factory, concatHex([salt, init]), wrapped(signature)] as const;
      const encoded = encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), parts);
      return concatHex([encoded, `0x${'6492'.repeat(16)}`]);
    },
  };
}
