/**
 * One value in its place: an amount, a time, a status, a hash, text to copy.
 */
export { CodeBlock } from './code-block.tsx';
export { CopyText } from './copy-text.tsx';
export { Money } from './money.tsx';
export { RawText } from './raw-text.tsx';
export { Badge, StatusBadge, type Tone } from './status-badge.tsx';
export { TimeLeft } from './time-left.tsx';
export { TransactionHash } from './transaction-hash.tsx';
export { CalendarDay, RelativeTime } from './relative-time.tsx';
