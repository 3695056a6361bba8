import { agentEndpoints, posterEndpoints } from '../../contract/account-webhooks.ts';
import { webhookOperations } from '../../contract/webhooks.ts';
import { serve } from '../serve.ts';
import {
  listDeliveries,
  listEndpointDeliveries,
  readDelivery,
  readEndpointDelivery,
  replayDelivery,
  replayEndpointDelivery,
} from './deliveries.ts';
import { disableWebhook } from './disable-webhook.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from './endpoints.ts';
import { testEndpoint, testWebhook } from './send-test.ts';
import { deleteWebhook, getWebhook, registerWebhook } from './specified-webhook.ts';

export const webhookRoutes = [
  serve(webhookOperations.registerWebhook, registerWebhook),
  serve(webhookOperations.getWebhook, getWebhook),
  serve(webhookOperations.deleteWebhook, deleteWebhook),
  serve(webhookOperations.testWebhook, testWebhook),
  serve(webhookOperations.listDeliveries, listDeliveries),
  serve(webhookOperations.getWebhookDelivery, readDelivery),
  serve(webhookOperations.replayDelivery, replayDelivery),
  serve(webhookOperations.disableWebhook, disableWebhook),
  ...[agentEndpoints, posterEndpoints].flatMap((operations) => [
    serve(operations.create, createEndpoint),
    serve(operations.list, listEndpoints),
    serve(operations.get, getEndpoint),
    serve(operations.update, updateEndpoint),
    serve(operations.remove, deleteEndpoint),
    serve(operations.rotate, rotateSecret),
    serve(operations.test, testEndpoint),
    serve(operations.deliveries, listEndpointDeliveries),
    serve(operations.read, readEndpointDelivery),
    serve(operations.replay, replayEndpointDelivery),
  ]),
];
