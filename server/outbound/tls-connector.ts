import { type Socket, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect, createSecureContext } from 'node:tls';
import { literalAddress } from './address-guard.ts';
import { RequestError } from './request-failure.ts';

/**
 * Offers a key share for X25519 only. OpenSSL's default adds an ML-KEM share, which makes a new connection cost 10 % more
 * CPU. A server without X25519 asks for another group in a second round trip.
 */
const GROUPS = 'X25519:P-256:P-384';
/** About 2 KB each. A resumed handshake takes 0.83 ms of CPU, a full one 1.28 ms. */
const MAX_SESSIONS = 2_000;
/** A session holds the server's certificate, whose size the server chooses. */
const MAX_SESSION_BYTES = 8_192;
/** Servers send two. */
const MAX_TICKETS = 8;
/** How long an address may take to accept before the next one is tried. The last address has the rest of the deadline. */
const NEXT_ADDRESS_MS = 1_000;
const MAX_ADDRESSES = 3;

/** `secure` is false only for a receiver on the same machine, in development. */
export type Origin = { hostname: string; port: number; secure: boolean };

export type TlsConnector = {
  /**
   * Connects to the first address that accepts, and checks its certificate against the host name.
   *
   * @throws RequestError `connection`, `tls`, or `timeout`
   */
  connect(endpoint: Origin, addresses: string[], deadline: AbortSignal): Promise<{ socket: Socket; address: string }>;
};

export function createTlsConnector({ ca }: { ca?: string | undefined }): TlsConnector {
  // One context for all connections: building one parses the system's certificate authorities.
  const secureContext = createSecureContext({ ...(ca ? { ca } : {}), minVersion: 'TLSv1.2', ecdhCurve: GROUPS });
  const sessions = new SessionCache();

  function openTls({ hostname, port }: Origin, address: string): Socket {
    const key = `${hostname}:${port}`;
    // SNI carries no IP address; then the certificate must name the address. A final dot is DNS syntax only.
    const name = literalAddress(hostname) === null ? { servername: hostname.replace(/\.$/, '') } : {};
    const session = sessions.get(key);
    const socket = tlsConnect({
      // The checked address, so that Node resolves nothing between the check and the connection.
      host: address,
      port,
      ...name,
      ...(session ? { session } : {}),
      secureContext,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    let tickets = 0;
    socket.on('session', (ticket) => {
      tickets += 1;
      if (tickets > MAX_TICKETS) socket.destroy();
      else sessions.set(key, ticket);
    });
    return socket;
  }

  function open(endpoint: Origin, address: string, acceptMs: number | null, deadline: AbortSignal): Promise<Socket> {
    const socket = endpoint.secure ? openTls(endpoint, address) : tcpConnect({ host: address, port: endpoint.port });
    socket.setNoDelay(true);
    return untilReady(socket, endpoint.secure ? 'secureConnect' : 'connect', acceptMs, deadline);
  }

  return {
    async connect(endpoint, addresses, deadline) {
      const tried = addresses.slice(0, MAX_ADDRESSES);
      for (const [index, address] of tried.entries()) {
        if (deadline.aborted) throw new RequestError('timeout');
        const isLast = index === tried.length - 1;
        try {
          return { socket: await open(endpoint, address, isLast ? null : NEXT_ADDRESS_MS, deadline), address };
        } catch (error) {
          if (isLast || deadline.aborted || !(error instanceof UnreachableError)) throw error;
        }
      }
      throw new RequestError('connection');
    },
  };
}

/** No server accepts at the address; another address may. */
class UnreachableError extends RequestError {}

/** Resolves with the socket once it can carry a request. Closes the socket on failure. */
function untilReady(
  socket: Socket,
  readyEvent: 'secureConnect' | 'connect',
  acceptMs: number | null,
  deadline: AbortSignal,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  let accepted = false;
  const fail = (error: RequestError) => {
    reject(error);
    socket.destroy();
  };
  const onDeadline = () => fail(new RequestError('timeout'));
  const timer = acceptMs === null ? undefined : setTimeout(() => fail(new UnreachableError('connection')), acceptMs);
  deadline.addEventListener('abort', onDeadline);
  socket.once('connect', () => {
    accepted = true;
    clearTimeout(timer);
  });
  socket.once(readyEvent, () => resolve(socket));
  // Stays for the life of the connection, because an unhandled error event would end the process.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (accepted) fail(new RequestError(isNetworkError(error) ? 'connection' : 'tls', error));
    else fail(new UnreachableError('connection', error));
  });
  socket.once('close', () => fail(new RequestError('connection')));
  return promise.finally(() => {
    clearTimeout(timer);
    deadline.removeEventListener('abort', onDeadline);
  });
}

function isNetworkError({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNABORTED'].includes(code);
}

/** TLS sessions by host and port. Only sessions of servers whose certificate was valid are stored. */
class SessionCache {
  readonly #sessions = new Map<string, Buffer>();

  get(key: string): Buffer | undefined {
    return this.#sessions.get(key);
  }

  set(key: string, session: Buffer): void {
    if (session.length > MAX_SESSION_BYTES) return;
    // Re-inserting keeps the oldest session first.
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }
}
