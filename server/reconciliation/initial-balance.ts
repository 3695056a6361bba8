/** The hash of the stray that stands for what the treasury held before the first block that a check looked at. */
export const HELD_BEFORE = `0x${'0'.repeat(64)}`;
