import { join } from 'node:path';
import type { Logger } from 'pino';
import { privateKeyToAddress } from 'viem/accounts';
import type { Config } from '../config.ts';
import { type RunningChain, startChain } from './chain.ts';
import { openDataFolder } from './data-folder.ts';
import { type RunningPostgres, startPostgres } from './postgres.ts';
import { loadSecrets, type Secrets } from './secrets.ts';

/** The resources of a development start: the given settings, and an embedded part for each setting that is missing. */
export type Embedded = {
  databaseUrl: string;
  rpcUrl: string;
  treasuryKey: `0x${string}`;
  facilitatorKeys: `0x${string}`[];
  operatorKey: string;
  secretsKey: string;
  /** The disk store's folder. */
  storageFolder: string;
  /** Mints test USDC; `null` when RPC_URL names another chain. */
  mintUsdc: ((address: string, amountMicro: number) => Promise<void>) | null;
  dataDir: string;
  /** The parts that were started, one line each. */
  started: string[];
  /** Resolves with the name of the first part that ends, for any reason. */
  partEnded: Promise<string>;
  stop(): Promise<void>;
};

export type EmbeddedOptions = { randomBytes: (size: number) => Buffer; log: Logger };

/**
 * Locks the data folder and starts the parts that the settings leave out, in parallel.
 *
 * @throws CannotRun
 */
export async function startEmbedded(config: Config, { randomBytes, log }: EmbeddedOptions): Promise<Embedded> {
  const folder = openDataFolder(config.dataDir);
  const running: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    await Promise.all(running.map((part) => part.stop()));
    folder.release();
  };
  try {
    const secrets = await loadSecrets(folder.path, randomBytes);
    const keys = keysOf(config, secrets);
    const [facilitatorAddress = '', ...otherFacilitators] = keys.facilitatorKeys.map((key) => privateKeyToAddress(key));
    const [postgres, chain] = await allStarted(
      running,
      config.databaseUrl ? null : startPostgres({ dataDir: folder.path, password: secrets.postgresPassword, log }),
      config.rpcUrl ? null : startChain({ dataDir: folder.path, facilitatorAddress, otherFacilitators, log }),
    );
    return {
      ...keys,
      ...addressesOf(config, postgres, chain),
      storageFolder: join(folder.path, 'storage'),
      mintUsdc: chain && (async (address, amountMicro) => void (await chain.mintUsdc(address, amountMicro))),
      dataDir: folder.path,
      started: startedParts(config),
      partEnded: firstEnd({ PostgreSQL: postgres?.exited, 'the chain': chain?.exited }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function keysOf(config: Config, secrets: Secrets) {
  return {
    treasuryKey: (config.treasuryKey ?? secrets.treasuryKey) as `0x${string}`,
    facilitatorKeys: (config.facilitatorKeys.length > 0
      ? config.facilitatorKeys
      : [secrets.facilitatorKey]) as `0x${string}`[],
    operatorKey: config.operatorKey ?? secrets.operatorKey,
    secretsKey: config.secretsKey ?? secrets.secretsKey,
  };
}

function addressesOf(config: Config, postgres: RunningPostgres | null, chain: RunningChain | null) {
  return {
    databaseUrl: postgres?.url ?? config.databaseUrl ?? '',
    rpcUrl: chain?.rpcUrl ?? config.rpcUrl ?? '',
  };
}

function startedParts({ databaseUrl, rpcUrl, facilitatorUrl, s3 }: Config): string[] {
  return [
    ...(databaseUrl ? [] : ['PostgreSQL 18']),
    ...(rpcUrl ? [] : ['a chain with test USDC and a faucet']),
    ...(facilitatorUrl ? [] : ['an x402 facilitator']),
    ...(s3 ? [] : ['disk storage']),
  ];
}

function firstEnd(parts: Record<string, Promise<unknown> | undefined>): Promise<string> {
  const ends = Object.entries(parts).map(([name, exited]) => exited?.then(() => name) ?? new Promise<never>(() => {}));
  return Promise.race(ends);
}

/** Waits for both parts, even when one fails, and adds each started part to `running`, so that `stop` reaches it. */
async function allStarted<A extends { stop(): Promise<void> }, B extends { stop(): Promise<void> }>(
  running: { stop(): Promise<void> }[],
  first: Promise<A> | null,
  second: Promise<B> | null,
): Promise<[A | null, B | null]> {
  const [a, b] = await Promise.allSettled([first, second]);
  for (const part of [a, b]) if (part.status === 'fulfilled' && part.value) running.push(part.value);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}
