import type { Deps } from '../../deps.ts';
import type { DeliveryOutcome } from '../../ports/webhooks.ts';
import type { NetworkCaps } from './network-slots.ts';
import type { Attempt } from './outcome-queries.ts';
import { openSecrets } from './secrets.ts';
import type { Endpoint } from './sender-queries.ts';
import { type SignableEvent, signDelivery } from './signature.ts';

/** For the name, the connection and the answer together. */
const DEADLINE_MS = 5_000;
// Where a URL leads hardly ever changes within seconds: a name that many agents share is not asked for at each of them.
const REMEMBERED_MS = 5_000;
const MAX_REMEMBERED = 10_000;

export type AttemptDeps = Pick<
  Deps,
  'clock' | 'config' | 'log' | 'webhookSecrets' | 'deliverWebhook' | 'webhookNetwork'
>;

/** One attempt on its way. */
export type Going = {
  /** Null when it was given up before anything was sent. Never rejects. */
  done: Promise<Attempt | null>;
  /** Only while it waits for its network; false when it is past that. */
  giveUp(): boolean;
};

export type Attempts = {
  /** Sends with the secret and to the URL that the endpoint has now; the caller has made sure that nobody else is at it. */
  begin(endpoint: Endpoint, event: SignableEvent, number: number): Going;
  /** Since the start of the process, by `delivered` or how they failed. */
  counts: ReadonlyMap<string, number>;
};

export function createAttempts(deps: AttemptDeps, caps: NetworkCaps): Attempts {
  const hosts = createHosts(deps);
  const counts = new Map<string, number>();
  const count = ({ ok, failure }: DeliveryOutcome) => {
    const name = ok ? 'delivered' : (failure ?? 'connection');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };

  async function attempt(
    going: { giveUp: () => boolean },
    { endpoint, event, number }: { endpoint: Endpoint; event: SignableEvent; number: number },
  ): Promise<Attempt | null> {
    let spentMs = 0;
    let network = hosts.known(endpoint.url);
    if (network === undefined) {
      const startedAt = performance.now();
      network = await hosts.ask(endpoint.url);
      spentMs = Math.round(performance.now() - startedAt);
    }
    const place = caps.enter(network);
    if (place.entered !== true) {
      going.giveUp = place.giveUp;
      if (!(await place.entered)) return null;
    }
    const at = deps.clock.now();
    let outcome = notSent;
    try {
      const secrets = openSecrets(deps.webhookSecrets, endpoint, at);
      const { headers, body } = signDelivery(event, secrets, { at, serviceName: deps.config.serviceName });
      const deadlineMs = Math.max(1, DEADLINE_MS - spentMs);
      outcome = await deps.deliverWebhook({ url: endpoint.url, headers, body, deadlineMs });
      outcome.latencyMs += spentMs;
    } catch (error) {
      // A secret that does not open, most likely: it fails like any other, and its agent sees that it does.
      deps.log.error({ webhookId: endpoint.id, err: error }, 'a webhook could not be sent');
    }
    place.leave();
    count(outcome);
    return { eventId: event.id, webhookId: endpoint.id, at, number, outcome };
  }

  return {
    counts,
    begin(endpoint, event, number) {
      const going = { giveUp: () => false };
      const done = attempt(going, { endpoint, event, number });
      return { done, giveUp: () => going.giveUp() };
    },
  };
}

const notSent: DeliveryOutcome = Object.freeze({
  ok: false,
  status: null,
  failure: 'connection',
  latencyMs: 0,
  answer: null,
  network: null,
});

/** Which network each host is in. */
function createHosts({ webhookNetwork, config }: Pick<AttemptDeps, 'webhookNetwork' | 'config'>) {
  const remembered = new Map<string, { network: string | null; until: number }>();
  return {
    /** Undefined when it has to be asked for. */
    known(url: string): string | null | undefined {
      const found = remembered.get(originOf(url));
      return found && found.until > performance.now() ? found.network : undefined;
    },
    async ask(url: string): Promise<string | null> {
      // Where it leads nowhere, the attempt tells why.
      const found = await webhookNetwork(url).catch(() => null);
      const origin = originOf(url);
      // The receivers of a development start share this machine's network: each is counted by itself.
      const network = config.development && found !== null && isLoopbackNetwork(found) ? origin : found;
      remembered.delete(origin);
      remembered.set(origin, { network, until: performance.now() + REMEMBERED_MS });
      const [oldest] = remembered.keys();
      if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      return network;
    },
  };
}

function isLoopbackNetwork(network: string): boolean {
  return network.startsWith('127.') || network === '0:0:0::/48';
}

/** Without a parser: it only has to tell hosts apart. */
function originOf(url: string): string {
  const path = url.indexOf('/', 'https://'.length);
  return path === -1 ? url : url.slice(0, path);
}
