import { createS3Storage } from '../../../server/storage/s3.ts';
import type { Storage } from '../../../server/ports/storage.ts';

const endpoint = process.env['S3_TEST_ENDPOINT'];

/** Returns the storage of the tests over S3, or the reason why there is none. */
export function s3ForTests(): { storage: Storage } | { skip: string } {
  if (!endpoint) return { skip: 'no S3_TEST_ENDPOINT; `scripts/ceph.sh start FOLDER` starts an S3 and prints one' };
  const storage = createS3Storage({
    endpoint,
    bucket: process.env['S3_TEST_BUCKET'] ?? 'concours-test',
    region: process.env['S3_TEST_REGION'] ?? 'us-east-1',
    accessKeyId: process.env['S3_TEST_ACCESS_KEY_ID'] ?? 'AKTEST',
    secretAccessKey: process.env['S3_TEST_SECRET_ACCESS_KEY'] ?? 'SKTEST1234567890',
  });
  return { storage };
}
