import type { WorldOptions } from './service-world.ts';

/** The environment variable with the shared service of a run, as JSON of `SharedService`. */
export const SHARED_SERVICE = 'TEST_SHARED_SERVICE';

export type SharedService = {
  url: string;
  operatorKey: string;
  databaseUrl: string;
  rpcUrl: string;
  /** The file to which each test process writes the secrets that it has planted, when it ends. */
  plantedFile: string;
};

const MANY = '1000000';

/** Limits that no test of the shared service reaches. The tests of limits start their own services. */
export const SHARED_SETTINGS: WorldOptions = {
  console: true,
  // A busy machine may need longer for a picture than an agent waits by default.
  inspectionTimes: { waitMs: 30_000 },
  env: Object.fromEntries(
    [
      'AGENT_PER_MINUTE',
      'AGENT_OPERATIONS_PER_HOUR',
      'PAYMENTS_PER_HOUR',
      'POSTER_PER_MINUTE',
      'PUBLIC_READS_PER_MINUTE',
      'REGISTRATIONS_PER_HOUR',
    ].map((name) => [`LIMIT_${name}`, MANY]),
  ),
};
