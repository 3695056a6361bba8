import { agentEndpoints, posterEndpoints } from '../../../contract/account-webhooks.ts';
import { serve } from '../../serve.ts';
import { createEndpoint } from './create-endpoint.ts';
import { listEndpointDeliveries, readEndpointDelivery, replayEndpointDelivery } from './deliveries.ts';
import { getEndpoint, listEndpoints } from './read-endpoints.ts';
import { testEndpoint } from './test-endpoint.ts';
import { deleteEndpoint, rotateSecret, updateEndpoint } from './update-endpoint.ts';

export const accountWebhookRoutes = [agentEndpoints, posterEndpoints].flatMap((operations) => [
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
]);
