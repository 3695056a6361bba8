import { webhookOperations } from '../../../contract/webhooks.ts';
import { serve } from '../../serve.ts';
import { listDeliveries } from './list-deliveries.ts';
import { readDelivery } from './read-delivery.ts';
import { replayDelivery } from './replay-delivery.ts';

export const deliveryRoutes = [
  serve(webhookOperations.listDeliveries, listDeliveries),
  serve(webhookOperations.getWebhookDelivery, readDelivery),
  serve(webhookOperations.replayDelivery, replayDelivery),
];
