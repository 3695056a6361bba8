import { join } from 'node:path';
import { createDiskStorage } from '../../server/storage/disk.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { measureFirstZip } from './support/zip-memory.ts';

const ground = await prepareWorld();
const storage = await createDiskStorage({
  folder: join(ground.folder, 'storage'),
  // It makes no upload URLs.
  publicUrl: 'http://127.0.0.1',
  signingKey: ground.signingKey,
  clock: { now: () => new Date() },
});
await measureFirstZip({ name: 'disk', storage, ...ground });
