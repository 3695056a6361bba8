import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rpcClient } from '../../../server/devnet/chain-rpc.ts';
import { freePort, spawnBound } from '../../../server/devnet/child-process.ts';
import { removeFolder } from '../remove-folder.ts';

/** The first account of anvil. Its key is public. */
export const SIGNER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const SIGNER_ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** Its second account. */
export const OTHER_ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

/** Starts an anvil with accounts, which signs typed data for them over JSON-RPC. Returns its URL. */
export async function startSigner(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-test-signer-'));
  const binary = fileURLToPath(import.meta.resolve('../../../node_modules/.bin/anvil'));
  const port = await freePort();
  const child = spawnBound(binary, ['--host', '127.0.0.1', '--port', String(port), '--silent'], { cwd: folder });
  after(async () => {
    await child.end([['SIGKILL', 5_000]]);
    await removeFolder(folder);
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = async () => (await rpcClient(url)('eth_accounts', []).catch(() => null)) !== null;
  while (child.running() && !(await isUp())) await sleep(20);
  return url;
}
