import { eventOperations } from '../../contract/events/events.ts';
import { serve } from '../serve.ts';
import { listEvents } from './list-events.ts';

export const eventRoutes = [
  serve(eventOperations.listAgentEvents, listEvents),
  serve(eventOperations.listPosterEvents, listEvents),
  serve(eventOperations.listOperatorEvents, listEvents),
];
