import { z } from 'zod';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import type { JsonText } from '../../serve.ts';

const schemas = new Map<OperationSpec, z.ZodType>();

/**
 * Checks a rendered response against its operation's output schema. An unlisted field is a mismatch too, so that a new
 * database column cannot reach clients unnoticed.
 *
 * @throws Error that names the operation and each field that does not match
 */
export function checkRendered(spec: OperationSpec, { text }: JsonText): void {
  const { error } = schemaOf(spec).safeParse(JSON.parse(text));
  if (!error) return;
  const faults = error.issues.map(({ path, message }) => `${z.core.toDotPath(path)}: ${message}`);
  throw new Error(`${spec.id} rendered a response that does not match its contract: ${faults.join('; ')}`);
}

/**
 * Returns the schema of the JSON itself. The contract's own schema does not fit here: it takes Dates from a verb and
 * drops unlisted fields. Its JSON Schema, which the OpenAPI document publishes, takes strings and refuses those fields.
 */
function schemaOf(spec: OperationSpec): z.ZodType {
  const known = schemas.get(spec) ?? z.fromJSONSchema(z.toJSONSchema(spec.output, { io: 'output' }));
  schemas.set(spec, known);
  return known;
}
