import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import { isThisMachine } from '../../outbound/public.ts';
import type { Tx } from '../../ports/database.ts';
import {
  countTried,
  countUnderWay,
  deleteRequest,
  endTrialRequest,
  findHost,
  insertRequest,
  listRequests,
  lockHost,
  lockNetwork,
  type PastRequest,
  takeBackRequests,
} from './request-queries.ts';

/** The requests an hour to an endpoint that never succeeded: as many as the schedule of one event makes. */
export const REQUESTS_PER_HOUR = 5;
/** The requests under way at once to such endpoints of one host, and of one network, over all processes. */
const AT_ONCE = 8;
const HOUR_MS = 3_600_000;
/** Longer than a request can take. The request of a killed process counts as under way for this long. */
const UNDER_WAY_MS = 30_000;
/** When to ask again after eight requests were under way, or the URL changed. */
const SOON_MS = 1_000;

type RequestDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'config' | 'log'>;

/** Why a request may not be made now, and when it may be made at the earliest. */
export type TrialRefusal = { why: 'endpoint' | 'host' | 'busy'; until: Date };

/**
 * One request to an endpoint that never succeeded. `take` records it before it is made, and `end` afterwards. So an
 * endpoint, a host, and a network get no more of them than the bounds allow, over all processes, whoever asks for them.
 */
export class TrialRequest {
  /** Set when `take` returned false. */
  refusal: TrialRefusal | null = null;
  readonly #deps: RequestDeps;
  readonly #endpoint: { id: string; url: string };
  #id: string | null = null;

  constructor(deps: RequestDeps, endpoint: { id: string; url: string }) {
    this.#deps = deps;
    this.#endpoint = endpoint;
  }

  /** Returns whether the request may be made now. `network`: of the host; null if it was not found. */
  async take(network: string | null): Promise<boolean> {
    const { db, clock, newId } = this.#deps;
    const now = clock.now();
    const id = newId();
    this.refusal = await withTransaction(db, (tx) => this.#record(tx, { id, network, now }));
    if (this.refusal === null) this.#id = id;
    return this.refusal === null;
  }

  /** A success bounds nothing. Without this call, the request counts as under way for 30 s, and as failed for an hour. */
  async end(ok: boolean): Promise<void> {
    const { db, clock, log } = this.#deps;
    if (this.#id === null) return;
    try {
      await (ok ? deleteRequest(db, this.#id) : endTrialRequest(db, this.#id, clock.now()));
    } catch (error) {
      log.error({ err: error, webhookId: this.#endpoint.id }, 'the end of a request to a webhook could not be written');
    }
  }

  async #record(
    tx: Tx,
    { id, network, now }: { id: string; network: string | null; now: Date },
  ): Promise<TrialRefusal | null> {
    const { id: webhookId, url } = this.#endpoint;
    const { config } = this.#deps;
    const soon = new Date(now.getTime() + SOON_MS);
    const lockedHost = await findHost(tx, webhookId, url);
    if (lockedHost !== null) await lockHost(tx, lockedHost);
    // A registration that came first may have counted the endpoint as gone.
    const host = await findHost(tx, webhookId, url);
    if (host === null || host !== lockedHost) return { why: 'busy', until: soon };
    // Receivers on the machine of a development start are the developer's own.
    if (!(config.development && isThisMachine(host))) {
      if (network !== null) await lockNetwork(tx, network);
      await takeBackRequests(tx, host, now);
      const past = await listRequests(tx, host, new Date(now.getTime() - HOUR_MS));
      const refusal = refusalOf(past, { webhookId, perHost: REQUESTS_PER_HOUR * config.webhooks.unverifiedPerHost });
      if (refusal) return refusal;
      const since = new Date(now.getTime() - UNDER_WAY_MS);
      if ((await countUnderWay(tx, { host, network, since })) >= AT_ONCE) return { why: 'busy', until: soon };
    }
    await insertRequest(tx, { id, webhookId, host, network, now });
    return null;
  }
}

/** Compares the requests of the last hour at a host, newest first, with the bounds of the endpoint and of the host. */
function refusalOf(
  past: PastRequest[],
  { webhookId, perHost }: { webhookId: string; perHost: number },
): TrialRefusal | null {
  const own = past.filter((request) => request.webhookId === webhookId);
  const full = (requests: PastRequest[], bound: number) => {
    const oldest = requests[bound - 1];
    return oldest ? new Date(oldest.startedAt.getTime() + HOUR_MS) : null;
  };
  const ofEndpoint = full(own, REQUESTS_PER_HOUR);
  if (ofEndpoint) return { why: 'endpoint', until: ofEndpoint };
  const ofHost = full(past, perHost);
  return ofHost && { why: 'host', until: ofHost };
}

/**
 * Counts the endpoints of a host that have never succeeded, without the one of an id. Those that got a request in the last
 * hour count too if they were deleted or have moved meanwhile: otherwise their owner could add others for them at once.
 * Until the transaction ends, other registrations at the host wait.
 */
export async function countUnverified(
  tx: Tx,
  { host, exceptId, now }: { host: string; exceptId: string | null; now: Date },
): Promise<number> {
  await lockHost(tx, host);
  await takeBackRequests(tx, host, now);
  return await countTried(tx, { host, since: new Date(now.getTime() - HOUR_MS), exceptId });
}
