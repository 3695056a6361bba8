import { test } from 'node:test';
import { s3ForTests } from '../support/servers/s3.ts';
import { firstZip } from '../support/processes/zip-memory.ts';

const s3 = s3ForTests();

if ('storage' in s3) await firstZip('S3', { env: s3.env, storageOf: async () => s3.storage });
else test('the memory of a ZIP, over S3', s3);
