import { fund } from '../clients/client.ts';
import { writePlanted } from '../secrets/canary-watch.ts';
import type { TestWorld } from './service-world.ts';
import { SHARED_SERVICE, SHARED_SETTINGS, type SharedService } from './shared-service.ts';

/** The service that all HTTP tests of a run share. It has high limits and serves the console. */
export type SharedWorld = Pick<TestWorld, 'url' | 'operatorKey' | 'databaseUrl'> & {
  rpcUrl: string;
  /** Mints test USDC through the faucet. Tests of several processes must not mint on the chain itself at once. */
  mintUsdc(address: string, amountMicro: number): Promise<void>;
};

/**
 * Returns the service that runs for the whole run (test/support/global-setup.ts), or starts one for a file that runs
 * alone. A test makes its own agents, posters, and projects, and looks only at them: other tests use the service at the
 * same time. Lists and sums over the whole market are not its own.
 */
export async function sharedWorld(): Promise<SharedWorld> {
  const { url, operatorKey, databaseUrl, rpcUrl } = await findService();
  return {
    url,
    operatorKey,
    databaseUrl,
    rpcUrl,
    mintUsdc: (address, amountMicro) => fund(url, address, amountMicro / 1e6),
  };
}

async function findService(): Promise<Omit<SharedService, 'plantedFile'>> {
  const given = process.env[SHARED_SERVICE];
  if (given) {
    const service = JSON.parse(given) as SharedService;
    process.once('exit', () => writePlanted(service.plantedFile));
    return service;
  }
  // Loads the service only here, because most files call the one of the run.
  const { startWorld } = await import('./service-world.ts');
  const world = await startWorld(SHARED_SETTINGS);
  return { ...world, rpcUrl: world.chain.rpcUrl };
}
