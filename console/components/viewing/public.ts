/**
 * The parts that all viewers of pictures share: the opened entry in the address, the native dialog, and swipes.
 */
export { readOpenedEntries } from './opened-entries.ts';
export { useModal } from './use-modal.ts';
export { useOpenedEntries } from './use-opened-entries.ts';
export { useSwipe } from './use-swipe.ts';
