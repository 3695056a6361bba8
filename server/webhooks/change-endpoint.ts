import { validationError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import type { Tx } from '../db/database.ts';
import { giveUpOn, startNext, startWaiting } from './delivery-queries.ts';
import { type Account, type EndpointRow, lockEndpoint, saveEndpoint } from './endpoint-queries.ts';
import { newSecret } from './secrets.ts';
import { requireRoomAt } from './trials.ts';
import type { DeliveryOutcome } from './types.ts';

// Changes of an endpoint, each in a transaction that has locked it.

const PUBLIC_URL =
  'an HTTPS URL of a host on the public internet, with port 443 or 8443, and without user and password';

/**
 * Checks a URL as the client does at each attempt. A host without an address is accepted, because its owner may set it up
 * later.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export async function requireUrl(
  url: string,
  field: string,
  { webhookTarget }: Pick<Deps, 'webhookTarget'>,
): Promise<void> {
  // The parser drops or trims these silently. The stored URL must be the one that the account sent.
  const isClean = !/[\s\p{Cc}\p{Cs}]/u.test(url);
  const message = isClean ? PUBLIC_URL : 'a URL without spaces and control characters';
  if (!isClean || (await webhookTarget(url)).failure === 'refused_address') throw validationError([{ field, message }]);
}

type AddDeps = Pick<Deps, 'config' | 'clock' | 'newId' | 'randomBytes' | 'webhookSecrets'>;
type Added = Pick<EndpointRow, 'specified' | 'url' | 'types'> & { account: Account; field: string };

/**
 * Adds an endpoint, and returns it with what its owner gets of its secret.
 *
 * @param field the member of the request that has the URL
 * @throws DomainError WEBHOOK_HOST_LIMIT
 */
export async function addEndpoint(deps: AddDeps, tx: Tx, { account, field, ...given }: Added) {
  const id = deps.newId();
  await requireRoomAt(deps, tx, { url: given.url, endpointId: id, field });
  const now = deps.clock.now();
  const { sealed, shown } = newSecret(deps, id);
  const row = await saveEndpoint(tx, {
    id,
    kind: account.kind,
    accountId: account.id,
    ...given,
    ...CLEAN,
    verifiedAt: null,
    secret: sealed,
    previousSecret: null,
    previousUntil: null,
    createdAt: now,
    updatedAt: now,
  });
  return { row, shown };
}

/** Nothing is known of the URL. */
const CLEAN = { status: 'active', disabledReason: null, failingSince: null, slow: false } as const;

/**
 * Sends to a URL from now on. A different one has yet to accept an event, so what was due at the old one waits.
 *
 * @throws DomainError WEBHOOK_HOST_LIMIT
 */
export async function moveEndpoint(
  deps: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  found: EndpointRow,
  { url, field }: { url: string; field: string },
): Promise<EndpointRow> {
  const verifiedAt = found.url === url ? found.verifiedAt : null;
  if (verifiedAt === null) await requireRoomAt(deps, tx, { url, endpointId: found.id, field });
  const now = deps.clock.now();
  const row = await saveEndpoint(tx, { ...found, ...CLEAN, url, verifiedAt, updatedAt: now });
  if (verifiedAt === null) await startNext(tx, found.id, { park: true, now, at: now });
  return row;
}

/**
 * Disables an endpoint, gives up what waits for it, and tells its account. The event names only the origin, because the rest
 * of the URL may be a secret.
 */
export async function disableEndpoint(
  deps: Pick<Deps, 'newId' | 'clock'>,
  tx: Tx,
  row: EndpointRow,
  reason: string,
): Promise<EndpointRow> {
  const now = deps.clock.now();
  const { id, kind, accountId, url } = row;
  const data = { webhook_id: id, origin: new URL(url).origin, reason };
  const event = { type: 'WEBHOOK.DISABLED' as const, data };
  const [disabled] = await Promise.all([
    saveEndpoint(tx, { ...row, status: 'disabled', disabledReason: reason, updatedAt: now }),
    giveUpOn(tx, id, now),
    recordEvents(deps, tx, now, [kind === 'agent' ? { agent: accountId, ...event } : { poster: accountId, ...event }]),
  ]);
  return disabled;
}

/**
 * Writes what an attempt says about its endpoint. After the first success, what waited is due. Returns null when another URL
 * has replaced the one that was sent to: nothing holds for it.
 */
export async function recordHealth(
  tx: Tx,
  { id, url }: Pick<EndpointRow, 'id' | 'url'>,
  { failure }: DeliveryOutcome,
  now: Date,
): Promise<EndpointRow | null> {
  const row = await lockEndpoint(tx, { id });
  if (row?.url !== url) return null;
  const failingSince = failure ? (row.failingSince ?? now) : null;
  const verifiedAt = row.verifiedAt ?? (failure ? null : now);
  const saved = await saveEndpoint(tx, { ...row, slow: failure === 'timeout', failingSince, verifiedAt });
  if (!failure && !row.verifiedAt) await startWaiting(tx, id, now);
  return saved;
}
