import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino';

const MAX_TEXT = 1_000;
const MAX_CAUSES = 5;

/**
 * Structured lines of JSON. Fields are named where they are logged; of an error only its kind, its code, its message
 * and where it came from are told, since libraries hang whole requests on theirs: headers, signatures, statements.
 */
export function createLog(level: LevelWithSilent, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: toldOf } };
  return destination ? pino(options, destination) : pino(options);
}

type Told = { type: string; code?: string; message: string; at: string[]; cause?: Told };

function toldOf(error: unknown, depth = 1): Told {
  if (!(error instanceof Error)) return { type: typeof error, message: redacted(String(error)), at: [] };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: redacted(error.message),
    at: framesOf(error.stack ?? ''),
    ...(cause !== undefined && depth < MAX_CAUSES ? { cause: toldOf(cause, depth + 1) } : {}),
  };
}

/** The frames alone: above them a stack repeats the message. */
function framesOf(stack: string): string[] {
  return [...stack.matchAll(/^ {4}at (.+)$/gm)].slice(0, 12).map(([, frame = '']) => frame);
}

/** Keys, signatures, transactions and whatever else is long and has no spaces: not for who reads logs. */
export function redacted(text: string): string {
  return text
    .replaceAll(/\b(Bearer|Basic) +\S+/gi, '$1 [redacted]')
    .replaceAll(/\b(c[kps]_[a-z]+)_[\w-]+/g, '$1_[redacted]')
    .replaceAll(/\/\/[^/\s@]+@/g, '//[redacted]@')
    .replaceAll(/(?:0x)?[0-9a-fA-F]{64,}/g, '[redacted]')
    .replaceAll(/[A-Za-z0-9+/_=-]{80,}/g, '[redacted]')
    .slice(0, MAX_TEXT);
}
