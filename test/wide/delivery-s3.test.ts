import { test } from 'node:test';
import { deliveryJourney } from '../journeys/delivery-suite.ts';
import { s3ForTests } from '../support/servers/s3.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { SHARED_SETTINGS } from '../support/worlds/shared-service.ts';

const s3 = s3ForTests();

if ('storage' in s3) await deliveryJourney('S3', await startWorld({ ...SHARED_SETTINGS, wrap: () => s3 }));
else test('the bytes of every kind of file, over S3', s3);
