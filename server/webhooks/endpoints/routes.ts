import { webhookOperations } from '../../../contract/webhooks.ts';
import { serve } from '../../serve.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { disableWebhook } from './disable-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { registerWebhook } from './register-webhook.ts';
import { testWebhook } from './test-webhook.ts';

export const endpointRoutes = [
  serve(webhookOperations.registerWebhook, registerWebhook),
  serve(webhookOperations.getWebhook, getWebhook),
  serve(webhookOperations.deleteWebhook, deleteWebhook),
  serve(webhookOperations.testWebhook, testWebhook),
  serve(webhookOperations.disableWebhook, disableWebhook),
];
