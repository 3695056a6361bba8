import { createS3Storage } from '../../../server/storage/s3.ts';
import type { Storage } from '../../../server/storage/types.ts';

/** The storage of the tests over S3, and the settings with which a process uses it. */
export type TestS3 = { storage: Storage; env: Record<string, string> };

/** Returns the storage of the tests over S3, or the reason why there is none. */
export function s3ForTests(): TestS3 | { skip: string } {
  const endpoint = process.env['S3_TEST_ENDPOINT'];
  if (!endpoint) return { skip: 'no S3_TEST_ENDPOINT; `scripts/ceph.sh start FOLDER` starts an S3 and prints one' };
  const options = {
    endpoint,
    bucket: process.env['S3_TEST_BUCKET'] ?? 'concours-test',
    region: process.env['S3_TEST_REGION'] ?? 'us-east-1',
    accessKeyId: process.env['S3_TEST_ACCESS_KEY_ID'] ?? 'AKTEST',
    secretAccessKey: process.env['S3_TEST_SECRET_ACCESS_KEY'] ?? 'SKTEST1234567890',
  };
  const env = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: options.bucket,
    S3_REGION: options.region,
    S3_ACCESS_KEY_ID: options.accessKeyId,
    S3_SECRET_ACCESS_KEY: options.secretAccessKey,
  };
  return { storage: createS3Storage(options), env };
}
