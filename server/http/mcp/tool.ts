import { z } from 'zod';
import { DomainError, type ErrorDetail, validationError } from '../../../contract/basics/errors.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { usdcAmount } from '../../../contract/basics/money.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../callers.ts';
import { parseFields } from '../parsing/input.ts';
import { requirePlainJson } from '../parsing/body.ts';
import { type Json, plainSchema } from './json-schema.ts';
import { paymentRequiredSchema } from './payment.ts';
import { markUntrustedSchema, type UntrustedFields, untrustedFields } from './untrusted.ts';

/** The kinds of callers. The operator has no tools. */
export type ToolRole = 'public' | 'agent' | 'poster';

/** The request of a tool to one operation of the contract. */
export type OperationRequest = {
  params?: Json;
  query?: Json;
  body?: Json;
  idempotencyKey?: string | undefined;
  /** The most that the operation may cost, in microdollars. */
  maxSpendMicro?: number;
};

/** One call of a tool, with everything that it may use. */
export type ToolCall = {
  caller: Caller;
  deps: Pick<Deps, 'answerSeals' | 'storage' | 'publicUrl'>;
  /**
   * Performs an operation as if its request had come over HTTP: with the caller's key, address, limits, and payment.
   *
   * @throws Refusal for an answer that is an error
   */
  perform<O extends OperationSpec>(spec: O, request: OperationRequest): Promise<z.output<O['output']>>;
};

type Hints = { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint?: boolean };

export type ToolSchemas = { inputSchema: Json; outputSchema: Json };

/** A tool as clients see it, and the function that runs it. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  roles: readonly ToolRole[];
  /** The operations that the tool may perform. Callers that may not perform them do not see the tool. */
  operations: readonly OperationSpec[];
  annotations: Hints;
  /** Builds the schemas at the first call. */
  schemas: () => ToolSchemas;
  untrusted: UntrustedFields;
  /** @throws DomainError or Refusal */
  run(call: ToolCall, given: Json): Promise<object>;
};

type Declared<Own extends z.ZodObject, Out extends z.ZodType<object>> = Pick<
  Tool,
  'name' | 'title' | 'description' | 'roles' | 'operations'
> & {
  hints: Hints;
  /** Arguments that the operations check themselves. */
  takes?: z.ZodRawShape;
  /** Arguments that the tool reads. */
  own: Own;
  output: Out;
  /** Paths of the output's fields with strangers' text. */
  strangers?: readonly string[];
  run(call: ToolCall, given: Json, own: z.output<Own>): Promise<z.output<Out>>;
};

/** Declares a tool. Its schemas follow from the contract's; an argument that they do not name is refused. */
export function defineTool<Own extends z.ZodObject, Out extends z.ZodType<object>>(declared: Declared<Own, Out>): Tool {
  const { takes = {}, own, strangers = [], hints, run, ...tool } = declared;
  const names = new Set([...Object.keys(takes), ...Object.keys(own.shape)]);
  const untrusted = untrustedFields(strangers);
  let built: ToolSchemas | null = null;
  return {
    ...tool,
    // Every tool works on this service alone.
    annotations: { title: tool.title, openWorldHint: false, ...hints } as Hints,
    schemas: () => (built ??= schemasOf(declared, untrusted)),
    untrusted,
    async run(call, given) {
      requirePlainJson(given);
      const unknown = Object.keys(given).filter((name) => !names.has(name));
      const read = picked(given, Object.keys(own.shape));
      if (unknown.length > 0) {
        // The operations name what is wrong with the arguments that they check, so only absent ones are looked for here.
        const absent = Object.entries(takes).filter(([name]) => given[name] === undefined);
        const faults = faultsOf(z.object({ ...Object.fromEntries(absent), ...own.shape }), read);
        throw validationError([...unknownFields(unknown), ...faults]);
      }
      return await run(call, given, parseFields(own, read));
    },
  };
}

function unknownFields(names: string[]): ErrorDetail[] {
  return names.slice(0, 20).map((name) => ({ field: name.slice(0, 200), message: 'unknown field' }));
}

function faultsOf(schema: z.ZodType, value: Json): ErrorDetail[] {
  try {
    parseFields(schema, value);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.details ?? [];
    throw error;
  }
}

function schemasOf<Own extends z.ZodObject, Out extends z.ZodType<object>>(
  { operations, takes = {}, own, output }: Declared<Own, Out>,
  untrusted: UntrustedFields,
): ToolSchemas {
  const success = markUntrustedSchema(plainSchema(output, 'output'), untrusted);
  const isPaid = operations.some(({ paid }) => paid);
  return {
    inputSchema: plainSchema(z.strictObject({ ...takes, ...own.shape }), 'input'),
    // Some clients compare even an error with this schema, so it allows the 402 of x402.
    outputSchema: isPaid ? { type: 'object', anyOf: [success, plainSchema(paymentRequiredSchema, 'output')] } : success,
  };
}

/** Returns the arguments with these names, as far as they are given. */
export function picked(given: Json, names: readonly string[]): Json {
  return Object.fromEntries(
    names.flatMap((name) => {
      const { [name]: value } = given;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The argument that bounds what a tool may pay. */
export const maxSpend = usdcAmount.meta({
  description: 'The most that this call may pay, in decimal USDC. A higher price is refused before any payment',
});

/** The argument that makes the repetition of a call safe. */
export const idempotencyKey = z
  .string()
  .max(255)
  .regex(/^[!-~]+$/, 'visible ASCII characters without spaces; a random UUID is best')
  .optional()
  .meta({ description: 'A random UUID. A repeated call with the same key and arguments returns the first answer' });
