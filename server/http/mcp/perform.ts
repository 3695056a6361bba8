import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { validationError } from '../../../contract/basics/errors.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import type { Route } from '../../serve.ts';
import type { HttpAnswer } from '../answers/responses.ts';
import { givenBody, type ReceivedBody } from '../parsing/body.ts';
import type { Json } from './json-schema.ts';
import { paymentHeader, readPaymentHeader, requirePrice, requireSpend } from './payment.ts';
import { jsonOf, ToolRefusal } from './results.ts';
import type { OperationRequest, ToolCall } from './tool.ts';

/** A request to an operation that a tool makes. */
export type InnerRequest = {
  incoming: IncomingMessage;
  headers: Headers;
  params: Record<string, string>;
  url: string;
  body: ReceivedBody;
};

/** Answers the request of an operation; the same function answers those that come over HTTP. */
export type AnswerOperation = (route: Route, request: InnerRequest) => Promise<HttpAnswer>;

/** The HTTP request that carried a call. */
export type Carrier = { incoming: IncomingMessage; headers: Pick<Headers, 'get'>; remoteAddress: string };

export type Performer = Pick<ToolCall, 'perform'> & {
  /** Returns the settlement of the call's payment; null before it settled. */
  settlement(): Json | null;
};

/**
 * Creates the performer of one call's operations. Each becomes a request with the caller's key and address, so that
 * authorization, limits, idempotency, and money work as over HTTP. Cookies are left out: a browser's session must not act
 * here.
 *
 * @param payment the call's payment; every paid operation of the call presents it
 */
export function createPerformer(
  answer: AnswerOperation,
  routes: ReadonlyMap<OperationSpec, Route>,
  carrier: Carrier,
  payment: unknown,
): Performer {
  let settlement: Json | null = null;
  return {
    settlement: () => settlement,
    async perform<O extends OperationSpec>(spec: O, request: OperationRequest): Promise<z.output<O['output']>> {
      const route = routes.get(spec);
      if (!route) throw new Error(`no route for ${spec.id}`);
      const { maxSpendMicro = 0 } = request;
      if (spec.paid) requireSpend(payment, maxSpendMicro);
      const answered = await answer(route, innerRequest(carrier, request, spec.paid ? payment : undefined));
      settlement = readPaymentHeader(answered.headers['payment-response']) ?? settlement;
      if (answered.status < 400) return jsonOf(answered.body)['data'] as z.output<O['output']>;
      const refusal = new ToolRefusal(answered);
      if (spec.paid && payment === undefined) requirePrice(refusal.required, maxSpendMicro);
      throw refusal;
    },
  };
}

function innerRequest(
  { incoming, headers, remoteAddress }: Carrier,
  { params = {}, query = {}, body, idempotencyKey }: OperationRequest,
  payment: unknown,
): InnerRequest {
  const authorization = headers.get('authorization');
  return {
    incoming,
    headers: new Headers({
      ...(authorization === null ? {} : { authorization }),
      // An upload request needs it. Behind a trusted proxy, it leads to the same address again.
      'x-forwarded-for': remoteAddress,
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...paymentHeader(payment),
    }),
    params: textsOf(params),
    url: `/?${new URLSearchParams(textsOf(query)).toString()}`,
    body: givenBody(body),
  };
}

/** Writes arguments as the texts of a path or a query. An absent one is left out, so that the operation names it. */
function textsOf(values: Json): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw validationError([{ field: name, message: 'must be text, a number, or true or false' }]);
    texts[name] = String(value);
  }
  return texts;
}
