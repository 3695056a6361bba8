import type { Cursor } from '../paging.ts';
import type { Tx } from '../ports/database.ts';

/** The last payment that was looked at; null before the first. Undefined while another process has the turn. */
export async function lockSealing(tx: Tx): Promise<Cursor | null | undefined> {
  const [row] = await tx<{ at: Date | null; id: string | null }[]>`
    select created_at as at, payment_id as id from signature_sealing for update skip locked`;
  if (!row) return undefined;
  return row.at === null || row.id === null ? null : { at: row.at, id: row.id };
}

export async function moveSealing(tx: Tx, { at, id }: Cursor): Promise<void> {
  await tx`update signature_sealing set created_at = ${at}, payment_id = ${id}`;
}

/** The next ones, oldest first. Index payments_created. */
export async function listPlaces(
  tx: Tx,
  after: Cursor | null,
  page: { until: Date; limit: number },
): Promise<Cursor[]> {
  return await tx<Cursor[]>`
    select created_at as at, id from payments
    where created_at <= ${page.until} ${after === null ? tx`` : tx`and (created_at, id) > (${after.at}, ${after.id})`}
    order by created_at, id limit ${page.limit}`;
}

export type OpenSignature = { id: string; signature: string };

/** Those that lie in the payload. Locked in the order of their ids: a payment that is being booked is waited for. */
export async function lockOpenSignatures(tx: Tx, ids: string[]): Promise<OpenSignature[]> {
  return await tx<OpenSignature[]>`
    select id, payload #>> '{payload,signature}' as signature from payments
    where id = any(${ids}) and signature is null and payload #>> '{payload,signature}' is not null
    order by id for no key update`;
}

/** From the payload, in the clear, to beside it. */
export async function moveSignatures(tx: Tx, sealed: { id: string; signature: Buffer }[]): Promise<void> {
  await tx`
    update payments set payload = payload #- '{payload,signature}', signature = decode(sealed.signature, 'hex')
    from unnest(${sealed.map(({ id }) => id)}::uuid[], ${sealed.map(({ signature }) => signature.toString('hex'))}::text[])
      as sealed (id, signature)
    where payments.id = sealed.id`;
}
