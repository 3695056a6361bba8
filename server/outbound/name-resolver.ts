import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import { isForbiddenAddress, literalAddress } from './address-guard.ts';
import { AttemptFailed, withinAttempt } from './request-failure.ts';
import type { Deadline } from './deadline.ts';
import type { Clock } from '../ports/clock.ts';

// Names are resolved by c-ares rather than getaddrinfo. getaddrinfo runs in libuv's four threads, which files and
// hashes share: four names whose servers don't answer would hold up the whole process for many seconds, and nobody could
// call it off. c-ares waits without a thread and asks exactly the name: no search domains and no /etc/hosts, whose names
// are the inner network's own.

const MAX_NAMES = 10_000;
/** More addresses than any receiver has: an answer over TCP may bring thousands, and each is checked. */
const MAX_ADDRESSES = 64;
/** One attempt uses one answer, whatever its TTL: what was capped by its network is what is connected to. */
const MIN_TTL_MS = 5_000;
const MAX_TTL_MS = 60_000;
/** How long the other record type is waited for: some servers never answer AAAA. */
const OTHER_TYPE_MS = 1_000;

/** `localhost` is this machine, whatever a server says (RFC 6761). */
const LOCAL: Answer = { addresses: ['127.0.0.1', '::1'], ttlMs: 0, certain: true };

export type ResolverOptions = {
  development: boolean;
  clock: Clock;
  /** `address:port`; without, the system's. */
  servers?: string[] | undefined;
  /** Names asked for at once. Each is a few KB and no thread; the bound is for the servers' sake. */
  lookups?: number | undefined;
};

export type NameResolver = {
  /**
   * The checked addresses of a URL's host, at least one; nothing else may be connected to.
   *
   * @throws AttemptFailed `dns`, `timeout`, or `refused_address` when any answer is forbidden
   */
  resolve(hostname: string, deadline: Deadline): Promise<string[]>;
  /** The same where it is known already, without the cost of waiting; null where it has to be asked for, or is refused. */
  known(hostname: string): string[] | null;
  close(): void;
};

type Answer = { addresses: string[]; ttlMs: number; certain: boolean };
/** `checked`: what may be connected to, judged once for as long as the answer holds; null when none of it may. */
type Entry = { answer: Answer; checked: string[] | null; until: number };

export function createNameResolver({ development, clock, servers, lookups = 256 }: ResolverOptions): NameResolver {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const cache = new Map<string, Entry>();
  const underWay = new Map<string, Promise<Answer>>();
  const slots = createSlots(lookups);
  const now = () => clock.now().getTime();
  const checked = ({ addresses }: Answer): string[] | null => {
    const few = addresses.length > 0 && addresses.length <= MAX_ADDRESSES;
    return few && !addresses.some((address) => isForbiddenAddress(address, development)) ? addresses : null;
  };
  const here = checked(LOCAL);

  async function ask(name: string): Promise<Answer> {
    const answer = await askBoth(resolver, name).finally(() => {
      slots.leave();
      underWay.delete(name);
    });
    // A server that does not answer now may do so when the attempt is repeated at once.
    if (answer.certain) remember(cache, name, { answer, checked: checked(answer), until: now() + answer.ttlMs });
    return answer;
  }

  async function answerOf(name: string, deadline: Deadline): Promise<Answer> {
    if (isLocal(name)) return LOCAL;
    const known = cache.get(name);
    if (known && known.until > now()) return known.answer;
    if (!underWay.has(name)) {
      await slots.enter(deadline);
      // Somebody may have begun meanwhile.
      if (underWay.has(name)) slots.leave();
      else underWay.set(name, ask(name));
    }
    return await withinAttempt(underWay.get(name) ?? Promise.reject(new AttemptFailed('dns')), deadline);
  }

  return {
    async resolve(hostname, deadline) {
      // Node connects to a literal without asking any `lookup`, so it is judged here, like every answer.
      const literal = literalAddress(hostname);
      const { addresses } = literal === null ? await answerOf(hostname, deadline) : { addresses: [literal] };
      if (addresses.length === 0 || addresses.length > MAX_ADDRESSES) throw new AttemptFailed('dns');
      if (addresses.some((address) => isForbiddenAddress(address, development)))
        throw new AttemptFailed('refused_address');
      return addresses;
    },
    known(hostname) {
      if (isLocal(hostname)) return here;
      const entry = cache.get(hostname);
      return entry && entry.until > now() ? entry.checked : null;
    },
    close: () => resolver.cancel(),
  };
}

function isLocal(name: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(name);
}

/** A and AAAA at once. IPv4 first: where there is no route for IPv6, as on many hosts, nothing is lost. */
async function askBoth(resolver: Resolver, name: string): Promise<Answer> {
  const answers: (Answer | undefined)[] = [undefined, undefined];
  const types = [() => resolver.resolve4(name, { ttl: true }), () => resolver.resolve6(name, { ttl: true })];
  let enough = () => {};
  const patience = new Promise<void>((resolve) => (enough = resolve));
  const timers: NodeJS.Timeout[] = [];
  const asked = types.map(async (type, index) => {
    const answer = await askOne(type);
    answers[index] = answer;
    if (answer.addresses.length > 0) timers.push(setTimeout(enough, OTHER_TYPE_MS));
  });
  await Promise.race([Promise.all(asked), patience]);
  for (const timer of timers) clearTimeout(timer);
  const came = answers.filter((answer) => answer !== undefined);
  const found = came.filter(({ addresses }) => addresses.length > 0);
  return {
    addresses: found.flatMap(({ addresses }) => addresses),
    // That there is nothing of the other type, as for most names, says nothing of how long this one holds.
    ttlMs: Math.min(...(found.length > 0 ? found : came).map(({ ttlMs }) => ttlMs)),
    certain: found.length > 0 || came.every(({ certain }) => certain),
  };
}

async function askOne(query: () => Promise<{ address: string; ttl: number }[]>): Promise<Answer> {
  try {
    const records = await query();
    const ttlMs = Math.min(...records.map(({ ttl }) => ttl * 1000));
    return {
      addresses: records.map(({ address }) => address),
      ttlMs: Math.min(Math.max(ttlMs, MIN_TTL_MS), MAX_TTL_MS),
      certain: true,
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    return { addresses: [], ttlMs: MIN_TTL_MS, certain: code === NOTFOUND || code === NODATA };
  }
}

function remember(cache: Map<string, Entry>, name: string, entry: Entry): void {
  // To the end of the order, so that the oldest is first.
  cache.delete(name);
  cache.set(name, entry);
  const [oldest] = cache.keys();
  if (cache.size > MAX_NAMES && oldest !== undefined) cache.delete(oldest);
}

/** So many at once; the others wait, at most as long as their attempt. */
function createSlots(count: number): { enter(deadline: Deadline): Promise<void>; leave(): void } {
  let free = count;
  const waiting = new Set<() => void>();
  return {
    async enter(deadline) {
      if (free > 0) {
        free -= 1;
        return;
      }
      let next = () => {};
      const turn = new Promise<void>((resolve) => (next = resolve));
      waiting.add(next);
      try {
        await withinAttempt(turn, deadline);
      } catch (error) {
        // Given a turn and out of time at once: the turn is somebody else's.
        if (!waiting.delete(next)) this.leave();
        throw error;
      }
    },
    leave() {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else free += 1;
    },
  };
}
