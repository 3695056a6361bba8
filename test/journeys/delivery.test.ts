import { sharedWorld } from '../support/worlds/shared-world.ts';
import { deliveryJourney } from './delivery-suite.ts';

await deliveryJourney('disk', await sharedWorld());
