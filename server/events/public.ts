// The event log: the public interface of events/.

export { createEventHub } from './hub.ts';
export { numberEvents, removeOldEvents, runSequencer } from './number-events.ts';
export { alertOperator, eventIdOf, type NewEvent, recordAlert, recordEvents, withdrawEvents } from './record-events.ts';
export { eventRoutes } from './routes.ts';
