import { flushCompileCache } from 'node:module';
import { createPool } from '../../../server/db/pool.ts';
import { readConfig } from '../../../server/config.ts';
import { connectLimits } from '../../../server/http/limits/connect.ts';
import { listen } from '../../../server/http/server.ts';
import { createService } from '../../../server/service.ts';
import pino from 'pino';
import { assemble } from '../worlds/assembled-world.ts';
import type { World } from '../../../server/deps.ts';
import type { InspectionTimes } from '../../../server/entries/types.ts';
import { arm, type Crash, crashAfterBroadcasts, crashAroundCommits, pass, passAtId } from './crash-points.ts';

// Runs the whole service in a separate process, on a database, a chain, and a folder that the test owns. The argument
// holds the settings as JSON. A message names the point at which the process kills itself by SIGKILL, without any
// cleanup. The process repeats the message to confirm it.

export type ServiceSettings = {
  databaseUrl: string;
  rpcUrl: string;
  facilitatorKey: `0x${string}`;
  treasuryKey: `0x${string}`;
  operatorKey: string;
  uploadSigningKeyHex: string;
  folder: string;
  port: number;
  paymentTimes?: { waitMs: number; leaseMs: number };
  inspectionTimes?: InspectionTimes;
  env: Record<string, string>;
};

function crashing(world: World): World {
  const { facilitator, storage } = world;
  return {
    ...world,
    db: crashAroundCommits(world.db),
    facilitator: {
      ...facilitator,
      async verify(payment) {
        const verification = await facilitator.verify(payment);
        pass('after verify');
        return verification;
      },
      async settle(payment, prepared) {
        pass('before settle');
        const settlement = await facilitator.settle(payment, prepared);
        pass('after settle');
        return settlement;
      },
    },
    storage: {
      ...storage,
      // The first look at an uploaded file, once the request is recorded.
      async head(key) {
        pass('before reading');
        return await storage.head(key);
      },
      // Public copies are written in the background, at any time.
      async write(key, ...picture) {
        await storage.write(key, ...picture);
        if (key.startsWith('originals/')) pass('after keeping');
      },
    },
    // The transaction that claims a payment makes the payment's id. The transaction that books it makes the journal's
    // id.
    newId() {
      passAtId();
      return world.newId();
    },
  };
}

async function s3Storage(options: NonNullable<World['config']['s3']>): Promise<World['storage']> {
  const { createS3Storage } = await import('../../../server/storage/s3.ts');
  return createS3Storage(options);
}

const settings = JSON.parse(process.argv[2] ?? '{}') as ServiceSettings;
const { operatorKey, port, paymentTimes, inspectionTimes } = settings;
// Half of the default: each connection costs 30 ms of CPU, and the jobs open all of them at each start.
const db = createPool({ url: settings.databaseUrl, connections: 5 });
const {
  world: whole,
  storage,
  close,
} = await assemble({
  ...settings,
  config: readConfig({ NODE_ENV: 'test', ...settings.env }),
  db,
  clock: { now: () => new Date() },
  log: pino({ level: 'error' }),
  url: `http://127.0.0.1:${port}`,
  uploadSigningKey: Buffer.from(settings.uploadSigningKeyHex, 'hex'),
});
const { handleUpload } = storage;
const { s3 } = whole.config;
const world = s3 ? { ...whole, storage: await s3Storage(s3) } : whole;
const limits = await connectLimits(world.config, world);
crashAfterBroadcasts();
const service = createService(crashing(world), {
  operatorKey,
  handleUpload,
  ...(paymentTimes ? { paymentTimes } : {}),
  ...(inspectionTimes ? { inspectionTimes } : {}),
  ...(limits ? { limits } : {}),
});
const app = {
  ...service.app,
  async fetch(...request: Parameters<typeof service.app.fetch>) {
    const response = await service.app.fetch(...request);
    if (response.ok) pass('before the answer');
    return response;
  },
};
const listener = await listen(app, { host: '127.0.0.1', port });
const jobs = service.startJobs();
// A killed process does not write its compile cache at exit, so write it now.
flushCompileCache();

process.on('message', (crash: Crash) => {
  arm(crash);
  process.send?.({ crashAt: crash.crashAt });
});
// The test process has ended.
process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => {
  void (async () => {
    await listener.close(1_000);
    await jobs.stop();
    service.app.stop();
    await close();
    await db.end({ timeout: 1 });
    process.exit();
  })();
});
