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

const LIMITS = [
  'AGENT_PER_MINUTE',
  'AGENT_OPERATIONS_PER_HOUR',
  'PAYMENTS_PER_HOUR',
  'POSTER_PER_MINUTE',
  'PUBLIC_READS_PER_MINUTE',
  'REGISTRATIONS_PER_HOUR',
];
/** Settings with limits that no test reaches. The tests of limits start their own services. */
export const NO_LIMITS: Record<string, string> = Object.fromEntries(LIMITS.map((name) => [`LIMIT_${name}`, '1000000']));

export const SHARED_SETTINGS: WorldOptions = {
  console: true,
  // A busy machine may need longer for a picture than an agent waits by default.
  inspectionTimes: { waitMs: 30_000 },
  env: NO_LIMITS,
};
