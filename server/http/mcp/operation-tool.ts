import { z } from 'zod';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { snakeCase } from '../../snake-case.ts';
import { defineTool, idempotencyKey, maxSpend, picked, type Tool, type ToolCall, type ToolRole } from './tool.ts';

/** How a tool presents the operation that it performs. */
export type Presentation = Pick<Tool, 'name' | 'title' | 'description'> & {
  /** Default: the kind of caller of the operation. */
  roles?: readonly ToolRole[];
  /** Hints for an operation that changes something; a tool of a GET only reads. */
  hints?: Tool['annotations'];
  /** Paths of the output's fields with strangers' text. */
  strangers?: readonly string[];
  /** The tool's own answer, made from that of the operation. */
  answer?: { output: z.ZodType<object>; of: (data: never, call: ToolCall) => object | Promise<object> };
};

const READS = { readOnlyHint: true, idempotentHint: true };

/**
 * Makes a tool of an operation: its arguments are the fields of path, query, and body. A paid operation also takes
 * `max_spend`, and one with an Idempotency-Key takes `idempotency_key`. The operation checks its own fields.
 */
export function toolOf(spec: OperationSpec, { roles, hints = READS, strangers, answer, ...named }: Presentation): Tool {
  const params = shapeOf(spec.params);
  const query = shapeOf(spec.query);
  const body = shapeOf(spec.body);
  const argumentOf = Object.fromEntries(Object.keys(params).map((name) => [name, snakeCase(name)]));
  const takes = { ...renamed(params, argumentOf), ...query, ...body };
  const own: z.ZodObject = z.object({
    ...(spec.paid ? { max_spend: maxSpend } : {}),
    ...(spec.idempotent ? { idempotency_key: idempotencyKey } : {}),
  });
  return defineTool({
    ...named,
    roles: roles ?? [spec.auth as ToolRole],
    operations: [spec],
    hints,
    takes,
    own,
    output: answer?.output ?? (spec.output as z.ZodType<object>),
    ...(strangers ? { strangers } : {}),
    async run(call, given, read) {
      const sent = picked(given, Object.keys(body));
      const { max_spend: maxSpendMicro, idempotency_key: key } = read;
      const data = await call.perform(spec, {
        params: Object.fromEntries(Object.entries(argumentOf).map(([name, argument]) => [name, given[argument]])),
        query: picked(given, Object.keys(query)),
        ...(spec.body && (Object.keys(sent).length > 0 || !isOptional(spec.body)) ? { body: sent } : {}),
        ...(typeof maxSpendMicro === 'number' ? { maxSpendMicro } : {}),
        ...(typeof key === 'string' ? { idempotencyKey: key } : {}),
      });
      return answer ? await answer.of(data as never, call) : (data as object);
    },
  });
}

/** Returns the fields of a part of a request, also of a body that may be left out. */
function shapeOf(schema: z.ZodType | undefined): z.ZodRawShape {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap();
  return inner instanceof z.ZodObject ? inner.shape : {};
}

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

function renamed(shape: z.ZodRawShape, names: Record<string, string>): z.ZodRawShape {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [names[name] ?? name, field]));
}
