// projects/publication/ offers the clock of publications, and the times that a search reads from it. The rest is private.

export { advancePublicationClock, takePublicationTime } from './publication-clock.ts';
export { searchHorizon, searchStart } from './search-times.ts';
