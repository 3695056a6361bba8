import { getTypesForEIP712Domain, parseSignature, serializeSignature, stringify, type Hex } from 'viem';
import { z } from 'zod';
import { SignerRefused, SignerUnavailable, type OutgoingTransfer, type Treasury } from './types.ts';
import { isSignedBy, signedTransfer, typedDataOf } from './treasury.ts';

const TIMEOUT_MS = 8_000;
const MAX_MESSAGE_CHARACTERS = 200;
/** The token accepts only signatures whose `s` is not above this: half the order of secp256k1. */
const LARGEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
/** JSON-RPC: the signer does not know a method, or does not support it. */
const UNKNOWN_METHOD = [-32_601, -32_004];
/** Web3Signer passes methods that it does not know on to its node, and answers so when there is none. */
const NO_NODE = [502, 504];

const rpcAnswer = z.union([
  z.object({ error: z.object({ code: z.int(), message: z.string().catch('') }) }),
  z.object({ result: z.json() }),
]);

type Answer = { result: unknown } | { problem: SignerUnavailable; isUnknownMethod: boolean };
type Ask = (method: string, params: unknown[]) => Promise<Answer>;

type RemoteSigner = { url: string; address: string; timeoutMs?: number };

/**
 * The treasury whose key a signer holds that speaks JSON-RPC over HTTP. The service uses a signature only if it is the
 * treasury's, for exactly the transfer that was asked for. So a wrong signer delays payouts and breaks nothing.
 *
 * @param url may hold a user and a password for Basic authentication, or a token alone for Bearer. Errors do not repeat it
 */
export function createRemoteTreasury({ url, address, timeoutMs = TIMEOUT_MS }: RemoteSigner): Treasury {
  const ask = connectionTo(url, timeoutMs);
  const sign = signingBy(ask);
  return {
    address,
    async authorize(transfer) {
      const signature = await sign(address, transfer);
      const checked = await checkedSignature(address, transfer, signature);
      if (checked === null) throw new SignerUnavailable("its answer is not the treasury's signature of the transfer");
      return signedTransfer(address, transfer, checked);
    },
    async check() {
      const answer = await ask('eth_accounts', []);
      if ('problem' in answer) {
        // A signer for one key may not list it. It has answered.
        if (answer.isUnknownMethod) return;
        throw answer.problem;
      }
      const accounts = z.array(z.string()).safeParse(answer.result);
      if (!accounts.data?.some((account) => account.toLowerCase() === address))
        throw new SignerUnavailable('it does not have the key of TREASURY_ADDRESS');
    },
  };
}

/** Asks by the newest method, and then by the one that the signer knows. */
function signingBy(ask: Ask) {
  let method = 'eth_signTypedData_v4';
  return async (address: string, transfer: OutgoingTransfer): Promise<unknown> => {
    const { types, ...rest } = typedDataOf(address, transfer);
    const domainType = getTypesForEIP712Domain(rest);
    // Signers take the data as text. Older ones take nothing else.
    const params = [address, stringify({ ...rest, types: { EIP712Domain: domainType, ...types } })];
    let answer = await ask(method, params);
    if ('problem' in answer && answer.isUnknownMethod && method !== 'eth_signTypedData') {
      answer = await ask('eth_signTypedData', params);
      if ('result' in answer) method = 'eth_signTypedData';
    }
    if ('problem' in answer) throw answer.problem;
    return answer.result;
  };
}

/** Returns the signature as the token takes it, with `v` as 27 or 28; null if it is not the treasury's of this transfer. */
async function checkedSignature(address: string, transfer: OutgoingTransfer, given: unknown): Promise<Hex | null> {
  if (typeof given !== 'string' || !/^0x[0-9a-f]{130}$/i.test(given)) return null;
  try {
    const parts = parseSignature(given as Hex);
    if (BigInt(parts.s) > LARGEST_S) return null;
    const signature = serializeSignature(parts);
    return (await isSignedBy(address, transfer, signature)) ? signature : null;
  } catch {
    return null;
  }
}

function connectionTo(given: string, timeoutMs: number): Ask {
  const { url, authorization } = withoutCredentials(given);
  const headers = { 'Content-Type': 'application/json', ...(authorization ? { Authorization: authorization } : {}) };
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    let status: number;
    let text: string;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
      status = response.status;
      text = await response.text();
    } catch (error) {
      throw new SignerUnavailable(error instanceof Error ? error.message : 'no connection', error);
    }
    return read(status, text);
  };
}

function read(status: number, text: string): Answer {
  const isUnknownMethod = NO_NODE.includes(status);
  const parsed = rpcAnswer.safeParse(jsonOf(text));
  if (!parsed.success) return { problem: new SignerUnavailable(`it answered with status ${status}`), isUnknownMethod };
  if ('result' in parsed.data) return parsed.data;
  const { code, message } = parsed.data.error;
  // An event has it. PostgreSQL reads no half characters in JSON, and no NUL.
  const said = message.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed().replaceAll('\0', '');
  const problem = new SignerRefused(`${said} (${code})`);
  return { problem, isUnknownMethod: isUnknownMethod || UNKNOWN_METHOD.includes(code) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** `fetch` takes no URL with credentials. */
function withoutCredentials(given: string): { url: string; authorization: string | null } {
  const url = new URL(given);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = '';
  url.password = '';
  if (user === '') return { url: url.href, authorization: null };
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return { url: url.href, authorization: password === '' ? `Bearer ${user}` : basic };
}
