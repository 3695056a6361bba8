import { Agent, request as requestHttp } from 'node:http';
import { Agent as TlsAgent, request as requestHttps, type RequestOptions } from 'node:https';
import { isSignedBy, signedTransfer } from '../x402/public.ts';
import { SignerRefused, SignerUnavailable, type OutgoingTransfer, type Treasury } from '../ports/payments/treasury.ts';
import { type Certificates, signerAddressOf, socketProblem } from './signer-address.ts';
import {
  healthAnswer,
  MAX_BODY_BYTES,
  refusalAnswer,
  signAnswer,
  type SignRequest,
  TIMEOUT_MS,
  VERSION_PATH,
} from './protocol.ts';

export type RemoteSigner = {
  /** `unix:/path` or `https://host:port`. */
  url: string;
  /** Null for a socket. */
  certificates: Certificates | null;
};

type SignerResponse = { status: number; body: unknown };

/**
 * The treasury whose key another process holds. A signature that is not the treasury's counts as no answer, so a wrong
 * signer delays payouts and breaks nothing.
 */
export function createRemoteTreasury({ address, url, certificates }: RemoteSigner & { address: string }): Treasury {
  const ask = connectionTo({ url, certificates });
  return {
    address,
    async authorize(transfer) {
      const { status, body } = await ask('POST', '/sign', requestOf(transfer));
      if (status === 400 || status === 403) {
        const { code, message } = read(refusalAnswer, body);
        throw new SignerRefused(code, message);
      }
      if (status !== 200) throw new SignerUnavailable(`it answered ${status}`);
      const { signature } = read(signAnswer, body);
      if (!(await isSignedBy(address, transfer, signature))) throw new SignerUnavailable('it has another key');
      return signedTransfer(address, transfer, signature);
    },
    async check() {
      const { status, body } = await ask('GET', '/health');
      if (status !== 200) throw new SignerUnavailable(`it answered ${status}`);
      if (read(healthAnswer, body).address !== address) throw new SignerUnavailable('it has another key');
    },
  };
}

function requestOf(transfer: OutgoingTransfer): SignRequest {
  return {
    kind: transfer.kind,
    payout_id: transfer.subjectId,
    network: transfer.network,
    asset: transfer.asset,
    recipient: transfer.recipient,
    amount_micro: transfer.amountMicro,
    nonce: transfer.nonce,
    valid_before: transfer.validBefore,
  };
}

function read<T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
  body: unknown,
): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new SignerUnavailable('its answer is not one of a signer');
  return parsed.data;
}

function connectionTo({ url, certificates }: RemoteSigner) {
  const signer = signerAddressOf(url);
  const isSocket = 'socket' in signer;
  const agent = isSocket ? new Agent({ keepAlive: true }) : new TlsAgent({ keepAlive: true });
  const target: RequestOptions = isSocket
    ? { socketPath: signer.socket, agent }
    : { ...signer, agent, ...certificates, minVersion: 'TLSv1.3' };
  return async (method: 'GET' | 'POST', path: string, body?: SignRequest): Promise<SignerResponse> => {
    const problem = isSocket ? socketProblem(signer.socket) : null;
    if (problem !== null) throw new SignerUnavailable(problem);
    try {
      const { status, text } = await exchange({ ...target, method, path: `${VERSION_PATH}${path}` }, isSocket, body);
      return { status, body: JSON.parse(text) as unknown };
    } catch (error) {
      throw new SignerUnavailable(error instanceof Error ? error.message : 'no connection', error);
    }
  };
}

/** @throws Error when the connection fails, takes too long, or brings a long text */
function exchange(
  options: RequestOptions,
  isSocket: boolean,
  body?: SignRequest,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = body ? { 'Content-Type': 'application/json' } : {};
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const request = (isSocket ? requestHttp : requestHttps)({ ...options, headers, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > MAX_BODY_BYTES) request.destroy(new Error('its answer is too long'));
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body ? JSON.stringify(body) : undefined);
  });
}
