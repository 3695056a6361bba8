// The public interface of projects/publication/. Everything else in the folder is private.

export { advancePublicationClock, readNewest, takePublicationTime } from './publication-clock.ts';
export { searchHorizon, searchStart } from './search-times.ts';
