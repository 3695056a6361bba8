// The public interface of projects/publication/. Everything else in the folder is private.

export { advancePublicationClock, readNewest, searchHorizon, takePublicationTime } from './publication-clock.ts';
