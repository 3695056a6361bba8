import { randomUUIDv7 } from 'node:crypto';
import type { OperatorScope } from '../../../contract/basics/operator-scope.ts';
import { call } from './client.ts';
import { expectStatus } from './journey.ts';
import type { TestWorld } from '../worlds/service-world.ts';

export type Operator = { name: string; key: string };

/** Adds an operator by OPERATOR_KEY, which a development start always accepts. */
export async function newOperator(
  { url, operatorKey: key }: Pick<TestWorld, 'url' | 'operatorKey'>,
  ...scopes: OperatorScope[]
): Promise<Operator> {
  const name = `ada-${randomUUIDv7().slice(-12)}`;
  const body = { name, scopes, reason: 'Joins the team' };
  const added = expectStatus(await call(url, 'POST', '/operator/operators', { key, body }), 201);
  return { name, key: added.body.data.apiKey as string };
}
