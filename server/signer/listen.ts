import { chmodSync, existsSync, lstatSync, statSync, unlinkSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { CannotRun } from '../cannot-run.ts';
import { type Certificates, type SignerAddress, signerAddressOf } from './signer-address.ts';
import { MAX_BODY_BYTES, type SignerRefusal, signRequest, TIMEOUT_MS, VERSION_PATH } from './protocol.ts';
import { type SignerDeps, signTransfer } from './sign-transfer.ts';
import { askView } from './signer-queries.ts';

/** The mode of the socket: its owner and its group may ask. */
const SOCKET_MODE = 0o660;
const MAX_CONNECTIONS = 100;

const LIMITS: ServerOptions = {
  headersTimeout: 3_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 60_000,
  maxHeaderSize: 8 * 1024,
  connectionsCheckingInterval: 1_000,
};

/**
 * Serves the signer until `close`. Over TCP, only clients with a certificate of the same authority get past the handshake.
 *
 * @throws CannotRun when the address is in use, or others could take it
 */
export async function listenForTransfers(
  deps: SignerDeps,
  { address, certificates }: { address: string; certificates: Certificates | null },
): Promise<{ close(): Promise<void> }> {
  const listening = signerAddressOf(address);
  const answer: RequestListener = (request, response) =>
    void respond(deps, request, response).catch((error: unknown) => {
      deps.log.error({ err: error }, 'a request failed');
      send(response, 503, { code: 'unavailable', message: 'the signer cannot answer now' });
    });
  const server =
    certificates === null
      ? createServer(LIMITS, answer)
      : createTlsServer(
          { ...LIMITS, ...certificates, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' },
          answer,
        );
  server.maxConnections = MAX_CONNECTIONS;
  if ('socket' in listening) await freeSocket(listening.socket);
  // Until the mode is set, only the owner may use the socket.
  const mask = process.umask(0o177);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new CannotRun(`SIGNER_LISTEN: ${error.message}`)));
    server.listen('socket' in listening ? { path: listening.socket } : listening, resolve);
  }).finally(() => process.umask(mask));
  if ('socket' in listening) chmodSync(listening.socket, SOCKET_MODE);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), TIMEOUT_MS).unref();
      }),
  };
}

/** Removes the socket of a signer that was killed. @throws CannotRun if one listens, or others could replace the socket */
async function freeSocket(path: string): Promise<void> {
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (!folder) throw new CannotRun(`SIGNER_LISTEN: the folder ${dirname(path)} does not exist`);
  if ((folder.mode & 0o002) !== 0)
    throw new CannotRun(`SIGNER_LISTEN: every user may replace files of ${dirname(path)}; use a folder of the signer`);
  if (!existsSync(path)) return;
  if (!lstatSync(path).isSocket()) throw new CannotRun(`SIGNER_LISTEN: ${path} is no socket`);
  if (await answers({ socket: path })) throw new CannotRun(`SIGNER_LISTEN: another process listens at ${path}`);
  unlinkSync(path);
}

function answers({ socket }: Extract<SignerAddress, { socket: string }>): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('connect', () => resolve(true));
    connection.once('error', () => resolve(false));
    connection.once('connect', () => connection.destroy());
  });
}

async function respond(deps: SignerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = `${request.method} ${request.url}`;
  if (asked === `GET ${VERSION_PATH}/health`) {
    await askView(deps.db);
    return send(response, 200, { address: deps.key.address });
  }
  if (asked !== `POST ${VERSION_PATH}/sign`)
    return send(response, 404, { code: 'unknown', message: `the signer knows ${VERSION_PATH}/sign and nothing else` });
  const parsed = signRequest.safeParse(await readJson(request));
  if (!parsed.success) return refuse(deps, response, parsed.error.issues.map(({ path }) => path.join('.')).join(', '));
  const signed = await signTransfer(deps, parsed.data);
  if ('refusal' in signed) return send(response, 403, signed.refusal);
  send(response, 200, signed);
}

function refuse({ log }: SignerDeps, response: ServerResponse, fields: string): void {
  const refusal: SignerRefusal = { code: 'malformed', message: 'this is not the request of a transfer' };
  log.warn({ alert: 'signer_refused', ...refusal, fields }, 'refused a request');
  send(response, 400, refusal);
}

/** Null for a body that is too long, or no JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) return null;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return;
  const headers = { 'Content-Type': 'application/json', ...(status === 400 ? { Connection: 'close' } : {}) };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
