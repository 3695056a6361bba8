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

export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8', ...plainHeaders };

/** One answer before it is sent. Not every answer leaves through a `Response`. */
export type HttpAnswer = {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer<ArrayBuffer>;
  /** Sends the body bit by bit, after the headers. */
  stream?: (outgoing: ServerResponse) => void;
};
