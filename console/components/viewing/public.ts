/**
 * The parts that all viewers of pictures share: the opened entry in the address, the native dialog, and swipes.
 */
export { readPlace } from './place.ts';
export { useModal } from './use-modal.ts';
export { usePlace } from './use-place.ts';
export { useSwipe } from './use-swipe.ts';
