// The event log: the public interface of events/.

export { consumeEvents } from './consume-events.ts';
export { recordDependencyChange } from './dependency-alerts.ts';
export { createEventHub } from './hub.ts';
export { numberEvents, removeOldEvents, runSequencer } from './number-events.ts';
export { correctOpening, findEvents, type LoggedEvent, type StreamRow, withdrawEvents } from './queries.ts';
export { alertOperator, eventIdOf, type NewEvent, recordAlert, recordEnds, recordEvents } from './record-events.ts';
