import { deliveryMatrix } from './delivery-matrix-suite.ts';

await deliveryMatrix('disk');
