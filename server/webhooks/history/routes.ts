import { webhookOperations } from '../../../contract/webhooks.ts';
import { serve } from '../../serve.ts';
import { listDeliveries } from './list-deliveries.ts';
import { replayDelivery } from './replay-delivery.ts';

export const deliveryRoutes = [
  serve(webhookOperations.listDeliveries, listDeliveries),
  serve(webhookOperations.replayDelivery, replayDelivery),
];
