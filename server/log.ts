import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino';

const MAX_TEXT = 1_000;
const MAX_CAUSES = 5;

/**
 * Creates a logger that writes one JSON object per line. It logs only the name, the code, the message, and the stack frames
 * of an error, because libraries attach whole requests to their errors: headers, signatures, statements. `base` is
 * in every line.
 */
export function createLog(
  level: LevelWithSilent,
  destination?: DestinationStream,
  base: Record<string, string> | null = null,
): Logger {
  const options = { level, base, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: loggedError } };
  return destination ? pino(options, destination) : pino(options);
}

type LoggedError = { type: string; code?: string; message: string; at: string[]; cause?: LoggedError };

function loggedError(error: unknown, depth = 1): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: redacted(String(error)), at: [] };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: redacted(error.message),
    at: framesOf(error.stack ?? ''),
    ...(cause !== undefined && depth < MAX_CAUSES ? { cause: loggedError(cause, depth + 1) } : {}),
  };
}

/** Returns only the frames, because a stack repeats the message above them. */
function framesOf(stack: string): string[] {
  return [...stack.matchAll(/^ {4}at (.+)$/gm)].slice(0, 12).map(([, frame = '']) => frame);
}

/** Replaces keys, signatures, transactions, and other long text without spaces, so that no secret reaches the log. */
export function redacted(text: string): string {
  return text
    .replaceAll(/\b(Bearer|Basic) +\S+/gi, '$1 [redacted]')
    .replaceAll(/(?<![A-Za-z0-9])(c[a-z]_[a-z]+)_[\w-]+/g, '$1_[redacted]')
    .replaceAll(/\/\/[^/\s@]+@/g, '//[redacted]@')
    .replaceAll(/(?:0x)?[0-9a-fA-F]{64,}/g, '[redacted]')
    .replaceAll(/[A-Za-z0-9+/_=-]{80,}/g, '[redacted]')
    .slice(0, MAX_TEXT);
}
