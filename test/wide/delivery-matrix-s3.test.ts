import { test } from 'node:test';
import { createS3Storage } from '../../server/storage/s3.ts';
import { deliveryMatrix } from '../security/delivery-matrix-suite.ts';

const endpoint = process.env['S3_TEST_ENDPOINT'];

if (endpoint)
  await deliveryMatrix('S3', () => ({
    storage: createS3Storage({
      endpoint,
      bucket: process.env['S3_TEST_BUCKET'] ?? 'concours-test',
      region: process.env['S3_TEST_REGION'] ?? 'us-east-1',
      accessKeyId: process.env['S3_TEST_ACCESS_KEY_ID'] ?? 'AKTEST',
      secretAccessKey: process.env['S3_TEST_SECRET_ACCESS_KEY'] ?? 'SKTEST1234567890',
    }),
  }));
else
  test('who obtains which picture, over S3', {
    skip: 'no S3_TEST_ENDPOINT; `scripts/ceph.sh start FOLDER` starts an S3 and prints one',
  });
