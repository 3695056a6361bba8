import { type Socket as UdpSocket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { AUTHORITATIVE_ANSWER, RECURSION_AVAILABLE, TRUNCATED_RESPONSE, decode, encode, type Record } from 'dns-packet';

// A DNS server on loopback, in the test's own process, with the answers of the test. It uses UDP, and TCP for answers
// that are too long for a datagram.

/** Records of a type (`A`, `AAAA`, `CNAME`). Several names form a chain. */
export type DnsAnswer =
  | { records: { name?: string; type: string; data: string; ttl?: number }[] }
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
const MAX_DATAGRAM = 512;

/**
 * Starts the server. `answer` receives the name in lower case, the type, and the number of earlier identical questions.
 */
export async function startDnsServer(
  answer: (name: string, type: string, before: number) => DnsAnswer,
): Promise<DnsServer> {
  const counts = new Map<string, number>();

  function reply(message: Buffer, maxBytes: number): Buffer | null {
    const { id = 0, questions = [] } = decode(message);
    const [question = { name: '', type: '' }] = questions;
    const name = question.name.toLowerCase();
    const key = `${name} ${question.type}`;
    const before = counts.get(key) ?? 0;
    const answered = answer(name, question.type, before);
    if (answered === 'garbage') return Buffer.from('not a message');
    const flags = AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE;
    const head = { type: 'response', id, questions };
    if (typeof answered === 'string') {
      counts.set(key, before + 1);
      return answered === 'silent' ? null : encode({ ...head, flags: flags | RCODES[answered] });
    }
    // The answer repeats the letter case of the question, because resolvers vary and compare it.
    const answers = answered.records.map(({ name: own = question.name, type, data, ttl = 0 }): Record => ({
      name: own,
      type,
      data,
      ttl,
    }));
    const whole = encode({ ...head, flags, answers });
    if (whole.length > maxBytes) return encode({ ...head, flags: flags | TRUNCATED_RESPONSE });
    counts.set(key, before + 1);
    return whole;
  }

  const udp = createSocket('udp4');
  udp.on('message', (message, peer) => {
    const bytes = reply(message, MAX_DATAGRAM);
    if (bytes) udp.send(bytes, peer.port, peer.address);
  });
  const tcp = createServer((socket) => {
    let read = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      for (let size = 0; read.length >= 2 && read.length >= 2 + (size = read.readUInt16BE(0));) {
        const bytes = reply(read.subarray(2, 2 + size), 65_535);
        read = read.subarray(2 + size);
        if (bytes) socket.write(Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]));
      }
    });
  });
  const port = await listenOnBoth(udp, tcp);
  // Do not keep a test process alive if the test forgets to close the server.
  udp.unref();
  tcp.unref();

  return {
    address: `127.0.0.1:${port}`,
    asked: (name, type) => counts.get(`${name} ${type}`) ?? 0,
    stop() {
      udp.close();
      tcp.close();
    },
  };
}

/** Listens on the same port for UDP and TCP. A port that is free for UDP can be taken for TCP. */
async function listenOnBoth(udp: UdpSocket, tcp: Server): Promise<number> {
  for (let left = 20; ; left -= 1) {
    tcp.listen({ host: '127.0.0.1', port: 0 });
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    try {
      udp.bind(port, '127.0.0.1');
      await once(udp, 'listening');
      return port;
    } catch (error) {
      if (left === 0) throw error;
      tcp.close();
      await once(tcp, 'close');
    }
  }
}
