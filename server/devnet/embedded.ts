import { join } from 'node:path';
import type { Logger } from 'pino';
import { privateKeyToAddress } from 'viem/accounts';
import type { Config } from '../config.ts';
import { startChain } from './chain.ts';
import { openDataFolder } from './data-folder.ts';
import { startPostgres } from './postgres.ts';
import { loadSecrets } from './secrets.ts';

/** What a development start runs with: the settings that were given, and an embedded part for each that was not. */
export type Embedded = {
  databaseUrl: string;
  rpcUrl: string;
  treasuryKey: `0x${string}`;
  facilitatorKey: `0x${string}`;
  operatorKey: string;
  secretsKey: string;
  /** The disk store's folder. */
  storageFolder: string;
  /** Null when the chain is not the embedded one. */
  mintUsdc: ((address: string, amountMicro: number) => Promise<void>) | null;
  dataDir: string;
  /** One line each: what was started. */
  started: string[];
  /** Resolves with the name of a part that ended, asked or not. */
  partEnded: Promise<string>;
  stop(): Promise<void>;
};

export type EmbeddedOptions = { randomBytes: (size: number) => Buffer; log: Logger };

/** Opens the data folder for this process alone and starts what the settings leave out, side by side. */
export async function startEmbedded(config: Config, { randomBytes, log }: EmbeddedOptions): Promise<Embedded> {
  const folder = openDataFolder(config.dataDir);
  const running: Part[] = [];
  const stop = async () => {
    await Promise.all(running.map((part) => part.stop()));
    folder.release();
  };
  try {
    const secrets = await loadSecrets(folder.path, randomBytes);
    const facilitatorKey = (config.facilitatorKey ?? secrets.facilitatorKey) as `0x${string}`;
    const facilitatorAddress = privateKeyToAddress(facilitatorKey);
    const started = <P extends Part>(part: P): P => {
      running.push(part);
      return part;
    };
    const [postgres, chain] = await allStarted(
      config.databaseUrl
        ? null
        : startPostgres({ dataDir: folder.path, password: secrets.postgresPassword, log }).then(started),
      config.rpcUrl ? null : startChain({ dataDir: folder.path, facilitatorAddress, log }).then(started),
    );
    return {
      databaseUrl: postgres?.url ?? config.databaseUrl ?? '',
      rpcUrl: chain?.rpcUrl ?? config.rpcUrl ?? '',
      treasuryKey: (config.treasuryKey ?? secrets.treasuryKey) as `0x${string}`,
      facilitatorKey,
      operatorKey: config.operatorKey ?? secrets.operatorKey,
      secretsKey: config.secretsKey ?? secrets.secretsKey,
      storageFolder: join(folder.path, 'storage'),
      mintUsdc: chain ? async (address, amountMicro) => void (await chain.mintUsdc(address, amountMicro)) : null,
      dataDir: folder.path,
      started: [
        ...(postgres ? ['PostgreSQL 18'] : []),
        ...(chain ? ['a chain with test USDC and a faucet'] : []),
        ...(config.facilitatorUrl ? [] : ['an x402 facilitator']),
        ...(config.s3 ? [] : ['disk storage']),
      ],
      partEnded: Promise.race([
        ...(postgres ? [postgres.exited.then(() => 'PostgreSQL')] : []),
        ...(chain ? [chain.exited.then(() => 'the chain')] : []),
        new Promise<never>(() => {}),
      ]),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Part = { stop(): Promise<void> };

/** Waits for both, also when one fails: what did start has to be stopped. */
async function allStarted<A, B>(first: Promise<A> | null, second: Promise<B> | null): Promise<[A | null, B | null]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}
