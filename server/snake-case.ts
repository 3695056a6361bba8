type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? (First extends Lowercase<First> ? First : `_${Lowercase<First>}`) : First}${SnakeCase<Rest>}`
  : '';

/** A row with the names of the API: `amountMicro` is `amount_micro`. */
export type SnakeCased<Row> = { [Name in keyof Row as Name extends string ? SnakeCase<Name> : never]: Row[Name] };

const known = new Map<string, string>();

/** Writes a name of the code as one of the API. */
export function snakeCase(name: string): string {
  const written = known.get(name) ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  known.set(name, written);
  return written;
}

/** Returns a row with the names of the API. The output schema of the operation drops what it does not list. */
export function snakeCased<Row extends object>(row: Row): SnakeCased<Row> {
  const written: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) written[snakeCase(name)] = value;
  return written as SnakeCased<Row>;
}
