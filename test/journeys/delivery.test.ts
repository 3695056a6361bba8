import { deliveryJourney } from './delivery-suite.ts';

await deliveryJourney('disk');
