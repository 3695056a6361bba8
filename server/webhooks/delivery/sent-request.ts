import { standardHeaders, type SignableEvent } from './signature.ts';

/** Returns what each attempt of a delivery sends, without the signatures and the time of the attempt. */
export function sentRequest({ id, before, after }: SignableEvent): {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
} {
  return { method: 'POST', headers: standardHeaders(id), body: Buffer.concat([before, after]).toString('utf8') };
}
