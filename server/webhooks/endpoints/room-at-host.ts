import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import { isThisMachine } from '../../outbound/public.ts';
import type { Tx } from '../../ports/database.ts';
import { countUnverified } from '../trials/public.ts';

/**
 * Checks that the host has few endpoints that never succeeded, because they may all belong to somebody who never asked for
 * events. The receivers on the machine of a development start are the developer's own.
 *
 * @param exceptId the endpoint that moves to the host
 * @throws DomainError WEBHOOK_HOST_LIMIT
 */
export async function requireRoomAt(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  { host, exceptId, field }: { host: string; exceptId: string | null; field: string },
): Promise<void> {
  if (config.development && isThisMachine(host)) return;
  const { unverifiedPerHost } = config.webhooks;
  if ((await countUnverified(tx, { host, exceptId, now: clock.now() })) < unverifiedPerHost) return;
  throw new DomainError(
    'WEBHOOK_HOST_LIMIT',
    `${unverifiedPerHost} webhooks at ${host} have not accepted an event yet. Register again after one of them has. ` +
      'One that was deleted or has moved counts until an hour after its last request.',
    { details: [{ field, message: 'a host with fewer webhooks that have not accepted an event' }] },
  );
}
