/** What every answer of the API carries; nothing of it may be cached, sniffed, framed or run. */
export const plainHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8', ...plainHeaders };

/** In parts: not every answer leaves through a Response. */
export type Answer = { status: number; headers: Record<string, string>; body: string | Buffer<ArrayBuffer> };
