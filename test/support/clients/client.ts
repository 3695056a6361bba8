import { setTimeout as sleep } from 'node:timers/promises';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { watchAnswer, watchedFetch } from '../secrets/canary-watch.ts';
import { checkAnswer } from './check-answer.ts';
import type { ApiAnswer } from './api-document.ts';

export type Answer = ApiAnswer;

export type Call = {
  key?: string;
  body?: unknown;
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  fetch?: typeof fetch;
};

const OVERLOADED = 'The service is overloaded. Try again shortly.';
const MOST_TRIES = 20;

/**
 * Tries again while the service is overloaded: it rejected the request before it did any work. This happens on a machine
 * that runs many tests at once.
 */
export async function patiently<T>(send: () => Promise<T>, errorTextOf: (answer: T) => string): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    if (!errorTextOf(answer).includes(OVERLOADED) || tries === MOST_TRIES) return answer;
    await sleep(500);
  }
}

/** Sends one request to a path below `/api/v1`. Throws if the answer breaks the contract. */
export async function call(url: string, method: string, path: string, options: Call = {}): Promise<Answer> {
  return await patiently(
    () => callOnce(url, method, path, options),
    ({ status, body }) => (status === 503 ? String(body.error?.message) : ''),
  );
}

async function callOnce(url: string, method: string, path: string, options: Call): Promise<Answer> {
  const send = options.fetch ?? watchedFetch;
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await send(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(options.key ? { authorization: `Bearer ${options.key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  watchAnswer(path, response, text);
  const answer: Answer = {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
  };
  checkAnswer(method, path, answer);
  return answer;
}

/** A wallet with the public x402 client, set up as an agent's developer would do it. */
export type Payer = { account: PrivateKeyAccount; address: string; pay: typeof fetch };

export function newPayer(): Payer {
  const account = privateKeyToAccount(generatePrivateKey());
  let paying: Promise<typeof fetch> | undefined;
  return {
    account,
    address: account.address.toLowerCase(),
    pay: async (input, init) => await (await (paying ??= payingFetch(account)))(input, init),
  };
}

async function payingFetch(account: PrivateKeyAccount): Promise<typeof fetch> {
  const { wrapFetchWithPayment } = await import('@x402/fetch');
  return wrapFetchWithPayment(watchedFetch, await paymentClient(account));
}

/** Loads the x402 client when it is first needed, because many test files pay for nothing. */
async function paymentClient(account: PrivateKeyAccount) {
  const [{ ExactEvmScheme }, { x402Client }] = await Promise.all([import('@x402/evm'), import('@x402/fetch')]);
  // The client's default spending limit is $1, and prizes are higher.
  return new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls(false);
}

/** Returns the headers with which a client answers a 402. Tests use it to send them twice or at another time. */
export async function signPayment(
  { account }: Pick<Payer, 'account'>,
  refusal: Answer,
): Promise<Record<string, string>> {
  const [{ x402HTTPClient }, client] = await Promise.all([import('@x402/core/client'), paymentClient(account)]);
  const http = new x402HTTPClient(client);
  const required = http.getPaymentRequiredResponse((name) => refusal.headers.get(name), refusal.body);
  return http.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
}

export async function fund(url: string, address: string, amountUsdc: number): Promise<void> {
  const answer = await call(url, 'POST', '/dev/faucet', { body: { address, amount_usdc: amountUsdc } });
  if (answer.status !== 200) throw new Error(`faucet: ${JSON.stringify(answer.body)}`);
}
