import { randomUUIDv7 } from 'node:crypto';
import { TOTP } from 'otpauth';
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

/** Enrolls an operator for codes. Returns the function that makes the code of a time. */
export async function enrolled(
  { url, clock }: Pick<TestWorld, 'url' | 'clock'>,
  { key }: Operator,
): Promise<(at?: Date) => string> {
  const issued = expectStatus(await call(url, 'POST', '/operator/me/codes', { key }), 201);
  const totp = new TOTP({ secret: issued.body.data.code_secret as string });
  const codeOf = (at = clock.now()) => totp.generate({ timestamp: at.getTime() });
  expectStatus(await call(url, 'POST', '/operator/me/codes/confirm', { key, body: { code: codeOf() } }), 200);
  return codeOf;
}
