import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { operations } from '../../../contract/operations.ts';
import { specsFor } from './audiences.ts';
import { openApiDocument } from './openapi.ts';

const specs: OperationSpec[] = Object.values(operations);

it('declares every tag', () => {
  const { tags } = openApiDocument({ specs, publicUrl: 'https://market.example', serviceName: 'Market', version: '1' });
  const declared = new Set((tags as { name: string }[]).map(({ name }) => name));
  assert.deepEqual(
    specs.filter(({ tag }) => !declared.has(tag)).map(({ tag }) => tag),
    [],
  );
});

it('leads every reader with sessions to its sign-in', () => {
  for (const [audience, signIn] of [
    ['operator', 'createOperatorSession'],
    ['poster', 'createSession'],
    ['owner', 'createAgentSession'],
  ] as const)
    assert.ok(
      specsFor(audience, specs).some(({ id }) => id === signIn),
      audience,
    );
});
