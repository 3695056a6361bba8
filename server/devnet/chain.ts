import { readFile, writeFile } from 'node:fs/promises';
import { mkdirSync, realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { encodeFunctionData, parseAbi } from 'viem';
import { rpcClient } from './chain-rpc.ts';
import type { Rpc } from './chain-rpc.ts';
import { chainFiles, forgetLoaded, keepSnapshots, prepareState, takeSnapshot } from './chain-state.ts';
import type { ChainFiles } from './chain-state.ts';
import { CannotRun } from '../cannot-run.ts';
import { endSurvivor, freePort, spawnBound, tryPort } from './child-process.ts';
import type { BoundChild, ExitReason } from './child-process.ts';
import devUsdc from './dev-usdc.json' with { type: 'json' };
import multicall3 from './multicall3.json' with { type: 'json' };

export const CHAIN_ID = 84_532;
/** The address of USDC on Base Sepolia, so that clients configured for that network work unchanged. */
export const USDC_ADDRESS = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
export const MULTICALL3_ADDRESS = '0xcA11bde05977b3631167028862bE2a173976CA11';
/** DevUSDC.FAUCET. No key exists for it; anvil impersonates it. */
const FAUCET_ADDRESS = '0x00000000000000000000000000000000C0FFEE01';
const GAS_MONEY = '0x21e19e0c9bab2400000'; // 10,000 ether
/** Interval of the heartbeat. An idle chain gets a block within two intervals, so that its time advances. */
const HEARTBEAT_MS = 15_000;

export type ChainOptions = {
  dataDir: string;
  /** The facilitator's address, which gets ether for gas. */
  facilitatorAddress: string;
  /** The addresses of its other keys, which get ether too. */
  otherFacilitators?: readonly string[];
  log: Logger;
  /** Default: the port of the last start, or a free one. */
  port?: number;
  heartbeatMs?: number;
  /** False keeps no state between starts, for tests. */
  durable?: boolean;
};

export type RunningChain = {
  rpcUrl: string;
  chainId: typeof CHAIN_ID;
  /** Resolves when the chain ends, for any reason. */
  exited: Promise<ExitReason>;
  /** Mints test USDC to an address and returns the hash of the mined transaction. */
  mintUsdc(address: string, amountMicro: number): Promise<`0x${string}`>;
  /** Mines an empty block with the current time. */
  mine(): Promise<void>;
  stop(): Promise<void>;
};

/** The embedded chain cannot run on this machine. The message says why, and what to do instead. */
const cannotRun = (reason: string, cause?: unknown): CannotRun =>
  new CannotRun(`The embedded development chain can't run: ${reason}\nSet NETWORK and RPC_URL to use another chain.`, {
    cause,
  });

/**
 * Starts anvil on the loopback address, with a test USDC at the address of Base Sepolia's. State, port, and logs are in
 * `dataDir/chain`; the caller holds the lock of the data folder. Every block is final: `safe` is `latest`.
 *
 * @throws CannotRun
 */
export async function startChain(options: ChainOptions): Promise<RunningChain> {
  const { log, facilitatorAddress, otherFacilitators = [], heartbeatMs = HEARTBEAT_MS, durable = true } = options;
  mkdirSync(join(options.dataDir, 'chain'), { recursive: true, mode: 0o700 });
  const folder = realpathSync(join(options.dataDir, 'chain'));
  const files = chainFiles(folder);
  await clearSurvivor(folder, files);
  const state = await prepareState(files, log);
  const { child, port } = await launch(folder, files, state.load, options);
  const rpcUrl = `http://127.0.0.1:${port}`;
  const rpc = rpcClient(rpcUrl);
  try {
    await prepareChain(rpc, [facilitatorAddress, ...otherFacilitators]);
    // A whole snapshot to fall back on when anvil is killed while it writes its own file.
    if (durable && !state.hasSnapshot) await takeSnapshot(rpc, files.snapshot);
    await forgetLoaded(files);
    // If anvil has ended, another chain took the port first and answered instead.
    if (!child.running()) throw new Error(`port ${port} was taken`);
  } catch (cause) {
    await child.end([['SIGKILL', 5_000]]);
    throw cannotRun('it did not take its first blocks.', cause);
  }
  const snapshots = durable ? keepSnapshots(rpc, files.snapshot, log) : null;
  const stopHeart = startHeart(rpc, heartbeatMs);
  return {
    rpcUrl,
    chainId: CHAIN_ID,
    exited: child.exited,
    mintUsdc: minter(rpc),
    mine: async () => void (await rpc('evm_mine', [])),
    async stop() {
      stopHeart();
      await snapshots?.stop();
      // At SIGINT, anvil writes its state.
      if (durable) await child.end([['SIGINT', 30_000]]);
      await child.end([['SIGKILL', 5_000]]);
    },
  };
}

function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  try {
    const manifest = fileURLToPath(import.meta.resolve(`${name}/package.json`));
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
  } catch (cause) {
    throw cannotRun(
      `there is no anvil for ${process.platform}-${process.arch} (package ${name} is not installed).`,
      cause,
    );
  }
}

/** Ends an anvil that survived a killed start. Two processes on one state file would lose the blocks of one. */
async function clearSurvivor(folder: string, files: ChainFiles): Promise<void> {
  const pid = Number(await readFile(join(folder, 'anvil.pid'), 'utf8').catch(() => ''));
  if (!Number.isSafeInteger(pid) || pid <= 0) return;
  const outcome = await endSurvivor(pid, ['anvil', files.exit]);
  if (outcome === 'stuck') throw cannotRun(`process ${pid} of an earlier start holds ${folder} and does not end.`);
}

async function launch(
  folder: string,
  files: ChainFiles,
  state: string | null,
  { port: wanted, log }: ChainOptions,
): Promise<{ child: BoundChild; port: number }> {
  const binary = anvilBinary();
  const portFile = join(folder, 'port');
  const remembered = wanted ?? Number(await readFile(portFile, 'utf8').catch(() => '0'));
  let failure = '';
  for (let attempt = 1; attempt <= 5; attempt++) {
    const port = (attempt === 1 ? await tryPort(remembered) : null) ?? (await freePort());
    const args = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(CHAIN_ID), '--silent'];
    // This chain never reorganizes, so `safe` and `finalized` do not have to lag 32 and 64 blocks.
    args.push('--slots-in-an-epoch', '0');
    // No accounts with well-known keys, and few old states: each one is a copy of all balances, in memory and in $HOME.
    args.push('--accounts', '0', '--prune-history', '64', '--dump-state', files.exit);
    if (state !== null) args.push('--load-state', state);
    const child = spawnBound(binary, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    await writeFile(join(folder, 'anvil.pid'), `${child.pid}\n`, { mode: 0o600 });
    const refusal = await untilReady(child, rpcClient(`http://127.0.0.1:${port}`), log);
    if (refusal === null) {
      await writeFile(portFile, `${port}\n`, { mode: 0o600 });
      if (remembered > 0 && port !== remembered)
        log.warn({ port, wanted: remembered }, 'the port of the chain is in use; the chain gets another RPC URL');
      return { child, port };
    }
    failure = refusal;
    if (!/Address already in use/i.test(refusal)) break;
  }
  throw cannotRun(`anvil did not start: ${failure}`);
}

/** Returns null when the chain answers, otherwise its output. */
async function untilReady(child: BoundChild, rpc: Rpc, log: Logger): Promise<string | null> {
  const said: string[] = [];
  createInterface({ input: child.process.stderr as Readable }).on('line', (line) => {
    if (said.length < 20) said.push(line);
    log.warn({ part: 'anvil' }, line);
  });
  // A state of 100 MB takes two seconds to load.
  for (let waitedMs = 0; waitedMs < 60_000 && child.running(); waitedMs += 10) {
    const chainId = await rpc('eth_chainId', []).catch(() => null);
    if (Number(chainId) === CHAIN_ID && child.running()) return null;
    await wait(10);
  }
  await child.end([['SIGKILL', 5_000]]);
  return said.join('\n') || `it ended with ${JSON.stringify(await child.exited)}`;
}

async function prepareChain(rpc: Rpc, facilitators: string[]): Promise<void> {
  await rpc('anvil_setCode', [USDC_ADDRESS, devUsdc.runtimeBytecode]);
  await rpc('anvil_setCode', [MULTICALL3_ADDRESS, multicall3.runtimeBytecode]);
  await rpc('anvil_impersonateAccount', [FAUCET_ADDRESS]);
  await rpc('anvil_setBalance', [FAUCET_ADDRESS, GAS_MONEY]);
  for (const address of facilitators) await rpc('anvil_setBalance', [address, GAS_MONEY]);
  // Calls use the time of the latest block; after a pause every new authorization would be "not yet valid".
  await rpc('evm_mine', []);
}

/** Mines a block when the chain is idle. With automine alone, time would stand still, and authorizations never expire. */
function startHeart(rpc: Rpc, heartbeatMs: number): () => void {
  let last: unknown = null;
  const beat = async () => {
    const block = await rpc('eth_blockNumber', []);
    if (block === last) await rpc('evm_mine', []);
    last = await rpc('eth_blockNumber', []);
  };
  // /readyz and `exited` report a chain that does not answer.
  const timer = setInterval(() => void beat().catch(() => undefined), heartbeatMs);
  timer.unref();
  return () => clearInterval(timer);
}

function minter(rpc: Rpc): RunningChain['mintUsdc'] {
  const abi = parseAbi(['function mint(address to, uint256 amount) returns (bool)']);
  // One at a time, because anvil gives concurrent unsigned transactions the same nonce and refuses all but one.
  let lane: Promise<unknown> = Promise.resolve();
  return async (address, amountMicro) => {
    const data = encodeFunctionData({
      abi,
      functionName: 'mint',
      args: [address as `0x${string}`, BigInt(amountMicro)],
    });
    const transaction = { from: FAUCET_ADDRESS, to: USDC_ADDRESS, data, gas: '0x30d40' };
    const sent = lane.then(async () => (await rpc('eth_sendTransaction', [transaction])) as `0x${string}`);
    lane = sent.catch(() => undefined);
    const hash = await sent;
    for (let attempt = 1; attempt <= 500; attempt++) {
      const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as { status: string } | null;
      if (receipt?.status === '0x1') return hash;
      if (receipt !== null) throw new Error(`the faucet's transaction ${hash} was reverted`);
      await wait(10);
    }
    throw new Error(`the faucet's transaction ${hash} was not mined`);
  };
}
