import { join } from 'node:path';
import { createDiskStorage } from '../../server/storage/disk.ts';
import { firstZip } from '../support/processes/zip-memory.ts';

await firstZip('disk', {
  storageOf: ({ folder, signingKey }, publicUrl) =>
    createDiskStorage({
      folder: join(folder, 'storage'),
      publicUrl,
      signingKey,
      clock: { now: () => new Date() },
    }),
});
