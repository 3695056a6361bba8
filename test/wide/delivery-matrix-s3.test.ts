import { test } from 'node:test';
import { deliveryMatrix } from '../security/delivery-matrix-suite.ts';
import { s3ForTests } from '../support/servers/s3.ts';

const s3 = s3ForTests();

if ('storage' in s3) await deliveryMatrix('S3', () => s3);
else test('who obtains which picture, over S3', s3);
