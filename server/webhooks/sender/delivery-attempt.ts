import type { Deps } from '../../deps.ts';
import type { DeliveryOutcome } from '../../ports/webhooks.ts';
import type { NetworkSlot, NetworkSlots } from './network-slots.ts';
import type { Attempt } from './outcome-queries.ts';
import type { Endpoint } from './sender-queries.ts';
import { openSecrets, type SignableEvent, signDelivery } from '../delivery/public.ts';

/** For DNS, the connection, and the response together. */
const DEADLINE_MS = 5_000;
/** Agents often share a host, whose network seldom changes within seconds. */
const NETWORK_TTL_MS = 5_000;
const MAX_CACHED_HOSTS = 10_000;

export type AttemptDeps = Pick<
  Deps,
  'clock' | 'config' | 'log' | 'webhookSecrets' | 'deliverWebhook' | 'webhookNetwork'
>;

export type RunningAttempt = {
  /** Resolves with null when nothing was sent: the attempt was canceled, or it is not its turn. Rejects only if `take` does. */
  done: Promise<Attempt | null>;
  /** Cancels an attempt that still waits for its network. Returns false when it no longer waits. */
  cancelWait(): boolean;
};

/** Decides whether an attempt may be made now, once its network has room, and learns when it has ended. */
export type AttemptTurn = { take(network: string | null): Promise<boolean>; end(ok: boolean): Promise<void> };

/** Makes single attempts: waits for a slot of the destination network, signs the event, and sends it. */
export class DeliveryAttempts {
  /** Attempts since the start of the process, by `delivered` or by failure. */
  readonly counts = new Map<string, number>();
  readonly #deps: AttemptDeps;
  readonly #slots: NetworkSlots;
  readonly #networks: NetworkCache;

  constructor(deps: AttemptDeps, slots: NetworkSlots) {
    this.#deps = deps;
    this.#slots = slots;
    this.#networks = new NetworkCache(deps);
  }

  /**
   * Starts an attempt with the URL and the secrets that the endpoint has now. The caller ensures that no other delivery to
   * the endpoint is in flight.
   */
  start(endpoint: Endpoint, event: SignableEvent, number: number, turn: AttemptTurn | null = null): RunningAttempt {
    let slot: NetworkSlot | null = null;
    const attempt = async (): Promise<Attempt | null> => {
      const startedAt = performance.now();
      const network = this.#networks.get(endpoint.url) ?? (await this.#networks.lookUp(endpoint.url));
      const lookupMs = Math.round(performance.now() - startedAt);
      slot = this.#slots.reserve(network.name);
      if (!(await slot.granted)) return null;
      try {
        if (turn && !(await turn.take(network.name))) return null;
        const at = this.#deps.clock.now();
        const outcome = await this.#send(endpoint, event, { at, lookupMs });
        await turn?.end(outcome.ok);
        this.#count(outcome);
        return { eventId: event.id, webhookId: endpoint.id, at, number, outcome };
      } finally {
        slot.release();
      }
    };
    return { done: attempt(), cancelWait: () => slot?.cancel() ?? false };
  }

  async #send(
    endpoint: Endpoint,
    event: SignableEvent,
    { at, lookupMs }: { at: Date; lookupMs: number },
  ): Promise<DeliveryOutcome> {
    const { webhookSecrets, config, deliverWebhook, log } = this.#deps;
    try {
      const secrets = openSecrets(webhookSecrets, endpoint, at);
      const { headers, body } = signDelivery(event, secrets, { at, serviceName: config.serviceName });
      const deadlineMs = Math.max(1, DEADLINE_MS - lookupMs);
      const outcome = await deliverWebhook({ url: endpoint.url, headers, body, deadlineMs });
      return { ...outcome, latencyMs: outcome.latencyMs + lookupMs };
    } catch (error) {
      // Most likely a secret that cannot be decrypted. It counts as a failed attempt, which the agent sees in its list.
      log.error({ webhookId: endpoint.id, err: error }, 'webhook could not be signed or sent');
      return { ok: false, status: null, failure: 'connection', latencyMs: 0, answer: null, network: null };
    }
  }

  #count({ ok, failure }: DeliveryOutcome): void {
    const name = ok ? 'delivered' : (failure ?? 'connection');
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

/** Remembers for some seconds which network each host is in. */
class NetworkCache {
  readonly #deps: Pick<AttemptDeps, 'webhookNetwork' | 'config'>;
  readonly #networks = new Map<string, { name: string | null; until: number }>();

  constructor(deps: Pick<AttemptDeps, 'webhookNetwork' | 'config'>) {
    this.#deps = deps;
  }

  get(url: string): { name: string | null } | undefined {
    const network = this.#networks.get(originOf(url));
    return network && network.until > performance.now() ? network : undefined;
  }

  async lookUp(url: string): Promise<{ name: string | null }> {
    // The attempt itself reports why a URL leads nowhere.
    const found = await this.#deps.webhookNetwork(url).catch(() => null);
    const origin = originOf(url);
    // Receivers of a development start share this machine's network, so each one is counted separately.
    const name = this.#deps.config.development && found !== null && isLoopbackNetwork(found) ? origin : found;
    const network = { name, until: performance.now() + NETWORK_TTL_MS };
    // Re-inserting keeps the oldest entry first.
    this.#networks.delete(origin);
    this.#networks.set(origin, network);
    const [oldest] = this.#networks.keys();
    if (this.#networks.size > MAX_CACHED_HOSTS && oldest !== undefined) this.#networks.delete(oldest);
    return network;
  }
}

function isLoopbackNetwork(network: string): boolean {
  return network.startsWith('127.') || network === '0:0:0::/48';
}

/** Needs no parser: the result only has to distinguish hosts. */
function originOf(url: string): string {
  const path = url.indexOf('/', 'https://'.length);
  return path === -1 ? url : url.slice(0, path);
}
