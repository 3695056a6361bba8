import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { AUTHORITATIVE_ANSWER, RECURSION_AVAILABLE, decode, encode, type Record } from 'dns-packet';

// A DNS server on loopback, in the test's own process, with the answers of the test. It uses UDP, so an answer must fit
// into a datagram.

/** Records of a type (`A`, `AAAA`, `CNAME`). Several names form a chain. */
export type DnsAnswer =
  | { records: { name?: string; type: string; data: string }[] }
  | 'nxdomain'
  | 'nodata'
  | 'servfail'
  /** The server never answers. */
  | 'silent'
  /** The answer is not a DNS message. */
  | 'garbage';

export type DnsServer = {
  /** The address for `createWebhookClient({ dnsServers: [address] })`. */
  address: string;
  /** Returns how many times clients asked for a name and type: `asked('a.test', 'A')`. */
  asked(name: string, type: string): number;
  stop(): void;
};

const RCODES = { nodata: 0, servfail: 2, nxdomain: 3 };

/**
 * Starts the server. `answer` receives the name in lower case, the type, and the number of earlier identical questions.
 */
export async function startDnsServer(
  answer: (name: string, type: string, before: number) => DnsAnswer,
): Promise<DnsServer> {
  const counts = new Map<string, number>();

  function reply(message: Buffer): Buffer | null {
    const { id = 0, questions = [] } = decode(message);
    const [question = { name: '', type: '' }] = questions;
    const name = question.name.toLowerCase();
    const key = `${name} ${question.type}`;
    const before = counts.get(key) ?? 0;
    const answered = answer(name, question.type, before);
    counts.set(key, before + 1);
    if (answered === 'garbage') return Buffer.from('not a message');
    if (answered === 'silent') return null;
    const flags = AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE;
    const head = { type: 'response', id, questions } as const;
    if (typeof answered === 'string') return encode({ ...head, flags: flags | RCODES[answered] });
    // The answer repeats the letter case of the question, because resolvers vary and compare it.
    const answers = answered.records.map((record): Record => ({ name: question.name, ttl: 0, ...record }));
    return encode({ ...head, flags, answers });
  }

  const udp = createSocket('udp4');
  udp.on('message', (message, peer) => {
    const bytes = reply(message);
    if (bytes) udp.send(bytes, peer.port, peer.address);
  });
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  // Do not keep a test process alive if the test forgets to close the server.
  udp.unref();

  return {
    address: `127.0.0.1:${udp.address().port}`,
    asked: (name, type) => counts.get(`${name} ${type}`) ?? 0,
    stop: () => void udp.close(),
  };
}
