import { webhookOperations } from '../../../contract/webhooks.ts';
import { serve } from '../../serve.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';

export const waitingDeliveryRoutes = [serve(webhookOperations.listWebhookDeliveries, listWebhookDeliveries)];
