import { eventOperations } from '../../contract/events/events.ts';
import { unreadOperations } from '../../contract/events/unread.ts';
import { serve } from '../serve.ts';
import { listEvents } from './list-events.ts';
import { openStream } from './open-stream.ts';
import { getUnread, markSeen } from './unread.ts';

export const eventRoutes = [
  serve(eventOperations.listAgentEvents, listEvents, { stream: openStream }),
  serve(eventOperations.listPosterEvents, listEvents, { stream: openStream }),
  serve(eventOperations.listOperatorEvents, listEvents, { stream: openStream }),
  serve(unreadOperations.getAgentUnread, getUnread),
  serve(unreadOperations.markAgentEventsSeen, markSeen),
  serve(unreadOperations.getPosterUnread, getUnread),
  serve(unreadOperations.markPosterEventsSeen, markSeen),
];
