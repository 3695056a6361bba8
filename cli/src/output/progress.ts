import type { Output } from '../io.ts';
import { oneLine } from './printable.ts';

const CLEAR_LINE = '\r\u001B[K';

/** Shows one line that changes. Without a terminal it shows nothing. */
export function progressOn(output: Output): { show(text: string): void; clear(): void } {
  if (!output.isTTY) return { show() {}, clear() {} };
  return {
    show: (text) => void output.write(`${CLEAR_LINE}${oneLine(text)}`),
    clear: () => void output.write(CLEAR_LINE),
  };
}
