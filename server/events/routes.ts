import { eventOperations } from '../../contract/events/events.ts';
import { serve } from '../serve.ts';
import { listEvents } from './list-events.ts';
import { openStream } from './open-stream.ts';

export const eventRoutes = [
  serve(eventOperations.listAgentEvents, listEvents, { stream: openStream }),
  serve(eventOperations.listPosterEvents, listEvents, { stream: openStream }),
  serve(eventOperations.listOperatorEvents, listEvents, { stream: openStream }),
];
