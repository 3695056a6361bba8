import type { ServerResponse } from 'node:http';

/** Headers of every API answer: clients must not cache, sniff, frame, or execute it. */
export const plainHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Headers of texts that programs of any origin may read, and keep for a while. */
export const publicHeaders = {
  ...plainHeaders,
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8', ...plainHeaders };

/** One answer before it is sent. Not every answer leaves through a `Response`. */
export type HttpAnswer = {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer<ArrayBuffer>;
  /** Sends the body bit by bit, after the headers. */
  stream?: (outgoing: ServerResponse) => void;
  /** Gives back what the stream holds, in place of sending it. */
  cancel?: () => void;
};

let turn: Promise<void> | null = null;

/**
 * Resolves when this turn of the event loop has read everything that had arrived. So the answers of a turn leave together, and
 * a client that sleeps is woken once for all of them. To wake it for each answer would cost more than the answer.
 */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = null;
      resolve();
    });
  });
  return turn;
}
