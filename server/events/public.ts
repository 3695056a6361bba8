// The event log: the public interface of events/.

export { consumeEvents } from './consume-events.ts';
export { parseAfter } from './cursor.ts';
export { eventJson } from './event-json.ts';
export { type EventPage, eventsAfter, type EventQuery } from './events-after.ts';
export { numberEvents, removeOldEvents, runSequencer } from './number-events.ts';
export {
  alertOperator,
  eventIdOf,
  type NewEvent,
  recordAlert,
  recordEvents,
  type Visibility,
  withdrawEvents,
} from './record-events.ts';
export { createEventHub } from './hub.ts';
export { eventRoutes } from './routes.ts';
export { type EventReader } from './streams.ts';
export { findEvents, type LoggedEvent, type StreamRow } from './queries.ts';
