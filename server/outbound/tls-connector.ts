import { type Socket, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect, createSecureContext } from 'node:tls';
import { literalAddress } from './address-guard.ts';
import { AttemptFailed } from './request-failure.ts';
import type { Deadline } from './deadline.ts';

/**
 * A key share of X25519 alone is offered. OpenSSL's own choice adds one of ML-KEM, which costs a tenth of a connection
 * more on either side; a brief is about to be public. Who lacks X25519 asks for one of the others in a second round.
 */
const GROUPS = 'X25519:P-256:P-384';
/** About 2 KB each. Resuming takes 0.83 ms of CPU, a whole handshake 1.28 ms, and keeping tickets 0.07 of that. */
const MAX_SESSIONS = 2_000;
/** A session holds its server's certificate, which a server may make as long as it likes. */
const MAX_SESSION_BYTES = 8_192;
/** Servers send two. */
const MAX_TICKETS = 8;
/** An address that does not answer is given up for the next one. The last has what is left of the attempt's time. */
const NEXT_ADDRESS_MS = 1_000;
const MAX_ADDRESSES = 3;

/** `secure` is false for a receiver on the same machine alone, in development. */
export type Endpoint = { hostname: string; port: number; secure: boolean };
export type TlsConnector = {
  /**
   * A connection to the first of the addresses that answers, its certificate checked against the name.
   *
   * @throws AttemptFailed `connection`, `tls` or `timeout`
   */
  connect(endpoint: Endpoint, addresses: string[], deadline: Deadline): Promise<{ socket: Socket; address: string }>;
};

export function createTlsConnector({ ca }: { ca?: string | undefined }): TlsConnector {
  // One for all: the system's authorities are parsed once, not at every connection.
  const secureContext = createSecureContext({ ...(ca ? { ca } : {}), minVersion: 'TLSv1.2', ecdhCurve: GROUPS });
  const sessions = createSessions();

  function openTls({ hostname, port }: Endpoint, address: string): Socket {
    const key = `${hostname}:${port}`;
    // No name is sent for an address, and its certificate has to name the address. A final dot belongs to DNS alone.
    const name = literalAddress(hostname) === null ? { servername: hostname.replace(/\.$/, '') } : {};
    const socket = tlsConnect({
      // An address: Node resolves nothing between the check and the connection.
      host: address,
      port,
      ...name,
      secureContext,
      ...sessions.of(key),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    let tickets = 0;
    socket.on('session', (session) => {
      tickets += 1;
      if (tickets > MAX_TICKETS) socket.destroy();
      else sessions.keep(key, session);
    });
    return socket;
  }

  function open(endpoint: Endpoint, address: string, patienceMs: number | null, deadline: Deadline): Promise<Socket> {
    const socket = endpoint.secure ? openTls(endpoint, address) : tcpConnect({ host: address, port: endpoint.port });
    socket.setNoDelay(true);
    return ready(socket, endpoint.secure ? 'secureConnect' : 'connect', patienceMs, deadline);
  }

  return {
    async connect(endpoint, addresses, deadline) {
      const tried = addresses.slice(0, MAX_ADDRESSES);
      for (const [index, address] of tried.entries()) {
        if (deadline.aborted) throw new AttemptFailed('timeout');
        const last = index === tried.length - 1;
        try {
          return { socket: await open(endpoint, address, last ? null : NEXT_ADDRESS_MS, deadline), address };
        } catch (error) {
          if (last || deadline.aborted || !(error instanceof Unreachable)) throw error;
        }
      }
      throw new AttemptFailed('connection');
    },
  };
}

/** There is nobody at the address; another may answer. */
class Unreachable extends AttemptFailed {}

function ready(
  socket: Socket,
  event: 'secureConnect' | 'connect',
  patienceMs: number | null,
  deadline: Deadline,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let reached = false;
    let settled = false;
    const giveUp = () => fail(new Unreachable('connection'));
    const patience = patienceMs === null ? undefined : setTimeout(giveUp, patienceMs);
    const onAbort = () => fail(new AttemptFailed('timeout'));
    const settle = () => {
      settled = true;
      clearTimeout(patience);
      deadline.removeEventListener('abort', onAbort);
    };
    const fail = (error: AttemptFailed) => {
      settle();
      socket.destroy();
      reject(error);
    };
    deadline.addEventListener('abort', onAbort);
    socket.once('connect', () => {
      reached = true;
      clearTimeout(patience);
    });
    socket.once(event, () => {
      settle();
      resolve(socket);
    });
    // Stays for the connection's life: an error that nobody listens to ends the process.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (settled) return;
      if (!reached) return fail(new Unreachable('connection', error));
      fail(new AttemptFailed(isNetworkError(error) ? 'connection' : 'tls', error));
    });
    socket.once('close', () => {
      if (!settled) fail(new AttemptFailed('connection'));
    });
  });
}

function isNetworkError({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNABORTED'].includes(code);
}

/** Resuming saves the certificate's check and a signature. Only a server whose certificate held is ever in here. */
function createSessions() {
  const sessions = new Map<string, Buffer>();
  return {
    of(key: string): { session?: Buffer } {
      const session = sessions.get(key);
      return session ? { session } : {};
    },
    keep(key: string, session: Buffer): void {
      if (session.length > MAX_SESSION_BYTES) return;
      sessions.delete(key);
      sessions.set(key, session);
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    },
  };
}
