import { webhookOperations } from '../../../contract/webhooks.ts';
import { serve } from '../../serve.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { disableWebhook } from './disable-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { listDeliveries } from '../history/list-deliveries.ts';
import { listWebhookDeliveries } from '../history/list-webhook-deliveries.ts';
import { registerWebhook } from './register-webhook.ts';
import { replayDelivery } from '../history/replay-delivery.ts';
import { testWebhook } from './test-webhook.ts';

export const webhookRoutes = [
  serve(webhookOperations.registerWebhook, registerWebhook),
  serve(webhookOperations.getWebhook, getWebhook),
  serve(webhookOperations.deleteWebhook, deleteWebhook),
  serve(webhookOperations.testWebhook, testWebhook),
  serve(webhookOperations.listDeliveries, listDeliveries),
  serve(webhookOperations.replayDelivery, replayDelivery),
  serve(webhookOperations.listWebhookDeliveries, listWebhookDeliveries),
  serve(webhookOperations.disableWebhook, disableWebhook),
];
