import type { CallToolResult } from '@modelcontextprotocol/server';
import type { HttpAnswer } from '../answers/responses.ts';
import { isObject, type Json } from './json-schema.ts';
import { readPaymentHeader, SETTLEMENT } from './payment.ts';

/** An operation's answer that is an error. The tool returns it as it would be over HTTP. */
export class ToolRefusal extends Error {
  readonly status: number;
  /** The error envelope without `success`. */
  readonly body: Json;
  /** The price, if the answer is a 402. */
  readonly required: Json | null;
  /** Seconds until a retry can succeed. */
  readonly retryAfter: string | undefined;

  constructor({ status, headers, body }: HttpAnswer) {
    const { success: _, x402Version: _v1, accepts: _accepts, ...rest } = jsonOf(body);
    super(`refused with status ${status}`);
    this.name = 'Refusal';
    this.status = status;
    this.body = rest;
    this.required = readPaymentHeader(headers['payment-required']);
    this.retryAfter = headers['Retry-After'];
  }
}

/** Returns the JSON object of an answer's body. */
export function jsonOf(body: HttpAnswer['body']): Json {
  const value: unknown = JSON.parse(body.toString());
  return isObject(value) ? value : {};
}

/** Returns a tool's result with its data, and with the settlement of the payment that the call made. */
export function successResult(data: Json, settlement: Json | null): CallToolResult {
  return { content: [text(data)], structuredContent: data, ...metaOf(settlement) };
}

/** Returns a tool's result for a refusal: the price as x402 defines it, any other error as the API's error object. */
export function refusalResult({ body, required, retryAfter }: ToolRefusal, settlement: Json | null): CallToolResult {
  const error = { ...body, ...(retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) }) };
  if (required === null) return { isError: true, content: [text(error)], ...metaOf(settlement) };
  const data = settlement === null ? required : { ...required, [SETTLEMENT]: settlement };
  const { error: message = 'Payment required' } = required;
  return {
    isError: true,
    // Clients of x402 read the first text. Models read the second one, which has the error code.
    content: [text({ 'x402/error': { code: 402, message, data } }), text(error)],
    structuredContent: data,
    ...metaOf(settlement),
  };
}

function metaOf(settlement: Json | null): Pick<CallToolResult, '_meta'> {
  return settlement === null ? {} : { _meta: { [SETTLEMENT]: settlement } };
}

function text(value: unknown): { type: 'text'; text: string } {
  return { type: 'text', text: JSON.stringify(value) };
}
