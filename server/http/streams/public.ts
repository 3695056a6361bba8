// Server-sent events: the public interface of http/streams/.

export { createEventStreams, type EventStreams } from './event-streams.ts';
export { openEventStream, wantsStream } from './open-event-stream.ts';
