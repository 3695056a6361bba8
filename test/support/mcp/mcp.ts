import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
} from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { x402Client } from '@x402/fetch';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm';
import { plant, watchedFetch } from '../secrets/canary-watch.ts';
import { patiently, type Payer } from '../clients/client.ts';
import type { ParsedJson } from '../clients/parsed-json.ts';

/** The eras of the protocol: with `initialize` and without. */
export type Era = 'legacy' | 'auto';

export type McpOptions = { key?: string; era?: Era; headers?: Record<string, string> };

const ajv = new AjvJsonSchemaValidator();
const validators = new Map<string, JsonSchemaValidator<unknown>>();
/** Ajv as the client uses it, but compiles each schema once for all clients of a file. That takes 0.2 s for all tools. */
const compiledOnce: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType) {
    const key = JSON.stringify(schema);
    const validator = validators.get(key) ?? ajv.getValidator(schema);
    validators.set(key, validator);
    return validator as JsonSchemaValidator<T>;
  },
};

/** The official client, which calls a tool again while the service is overloaded. */
class PatientClient extends Client {
  override async callTool(...given: Parameters<Client['callTool']>): Promise<CallToolResult> {
    return await patiently(
      () => super.callTool(...given),
      (result) => (result.isError ? JSON.stringify(result.content) : ''),
    );
  }
}

/** Connects the official client. Close it at the end of the test. */
export async function connectMcp(url: string, { key, era = 'auto', headers = {} }: McpOptions = {}): Promise<Client> {
  const client = new PatientClient(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era }, jsonSchemaValidator: compiledOnce },
  );
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { ...authorization, ...headers } },
    fetch: watchedFetch,
  });
  await client.connect(transport);
  // The client compares results with the output schemas of the tools that it knows.
  await client.listTools();
  return client;
}

/** Calls a tool and returns its data. Remembers the keys that it contains. */
export async function useTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ParsedJson> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  const data: ParsedJson = result.structuredContent;
  if (typeof data.apiKey === 'string') plant('apiKey', data.apiKey);
  return data;
}

/** Returns the error of a tool's result: its code, its message, and whatever else it says. */
export function errorOf({ isError, content }: CallToolResult): ParsedJson {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const last = texts.at(-1);
  if (!isError || last === undefined) throw new Error('not an error');
  return JSON.parse(last).error;
}

/** Signs the payment that a 402 asks for. */
export async function payFor({ account }: Pick<Payer, 'account'>, refusal: CallToolResult): Promise<unknown> {
  const payments = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls(false);
  const payment = await payments.createPaymentPayload(refusal.structuredContent as PaymentRequired);
  plant('the signature of a payment', String((payment.payload as { signature: unknown }).signature));
  return payment;
}

/** Calls a paid tool as the x402 transport for MCP describes: without a payment, and again with the one it asks for. */
export async function payTool(
  client: Client,
  payer: Payer,
  name: string,
  args: Record<string, unknown>,
): Promise<CallToolResult> {
  const call = { name, arguments: args };
  const refusal = await client.callTool(call);
  if (!refusal.isError || refusal.structuredContent === undefined)
    throw new Error(`${name}: ${JSON.stringify(refusal)}`);
  return await client.callTool({ ...call, _meta: { 'x402/payment': await payFor(payer, refusal) } });
}
