import { ExactEvmScheme } from '@x402/evm';
import { x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

/** A `fetch` for MCP clients that pays what a tool asks for, as the x402 transport for MCP describes. */
export function payingFetch(privateKey) {
  const client = new x402Client()
    .register('eip155:*', new ExactEvmScheme(privateKeyToAccount(privateKey)))
    .setSpendControls(false);
  return async (input, init) => {
    const response = await fetch(input, init);
    if (typeof init?.body !== 'string') return response;
    const message = JSON.parse(init.body);
    if (message.method !== 'tools/call') return response;
    const { result } = messageIn(await response.clone().text());
    const required = result?.structuredContent;
    if (!result?.isError || !Array.isArray(required?.accepts)) return response;
    const payment = await client.createPaymentPayload(required);
    const { params } = message;
    const paid = { ...message, params: { ...params, _meta: { ...params._meta, 'x402/payment': payment } } };
    return await fetch(input, { ...init, body: JSON.stringify(paid) });
  };
}

/** Returns the message of an answer, which is JSON or an event stream. */
function messageIn(body) {
  const line = body.split('\n').find((each) => each.startsWith('data: {'));
  return JSON.parse(line ? line.slice('data: '.length) : body);
}
