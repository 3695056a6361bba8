import { hash } from 'node:crypto';
import { snakeCase } from '../snake-case.ts';
import type { JSONValue, Param, Queryable, Row } from './database.ts';

/** A statement as the driver takes it. Without a name, PostgreSQL prepares nothing. */
export type Compiled = { text: string; values?: unknown[]; name?: string };
/** Sends a statement, and returns its rows. */
export type Send = (statement: Compiled) => Promise<Result>;
export type Result = Row[] & { readonly count: number };

/** A statement that is sent by its first `then`, or a part of another one. */
class Statement {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  readonly #send: Send;
  #sent: Promise<Result> | null = null;

  constructor(strings: readonly string[], values: readonly unknown[], send: Send) {
    this.strings = strings;
    this.values = values;
    this.#send = send;
  }

  // eslint-disable-next-line unicorn/no-thenable -- `await` sends it
  then<A = Result, B = never>(
    done?: ((rows: Result) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#sent ??= this.#send(compile(this));
    // eslint-disable-next-line promise/no-callback-in-promise -- it is `then` itself
    return this.#sent.then(done, failed);
  }

  catch<B>(failed: (error: unknown) => B): Promise<Result | B> {
    return this.then(null, failed);
  }

  finally(done: () => void): Promise<Result> {
    return this.then(null).finally(done);
  }
}

/** Statements with more parameters insert rows. Each number of rows is another text, which would stay on the server. */
const MOST_PREPARED = 100;

/** The text and name of each template, as long as all of its values are parameters: it never differs then. */
const known = new WeakMap<readonly string[], Required<Pick<Compiled, 'text' | 'name'>>>();

function compile({ strings, values }: Pick<Statement, 'strings' | 'values'>): Compiled {
  const isPlain = !values.some((value) => value instanceof Statement);
  const found = isPlain ? known.get(strings) : undefined;
  if (found) return { ...found, values: values.map(encode) };
  const out = { text: '', values: [] as unknown[] };
  append(out, strings, values);
  if (out.values.length > MOST_PREPARED) return out;
  // A digest, because PostgreSQL takes 63 bytes, and one name must never mean two texts.
  const named = { text: out.text, name: hash('sha256', out.text, 'base64url') };
  if (isPlain) known.set(strings, named);
  return { ...named, values: out.values };
}

function append(
  out: { text: string; values: unknown[] },
  strings: readonly string[],
  values: readonly unknown[],
): void {
  for (const [index, string] of strings.entries()) {
    out.text += string;
    const value = values[index];
    if (index >= values.length) continue;
    if (value instanceof Statement) append(out, value.strings, value.values);
    else out.text += `$${out.values.push(encode(value))}`;
  }
}

const quoted = (name: string): string => `"${snakeCase(name).replaceAll('"', '""')}"`;

/** Returns what the driver sends as it is, or writes into an array. */
function encode(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(encode);
  if (value === undefined) throw new TypeError('a parameter of a statement is undefined');
  return value;
}

/** Returns the tag of a template, with its helpers. It sends each statement by `send`. */
export function createTag(send: Send): Queryable {
  const part = (strings: readonly string[], values: readonly unknown[] = []) => new Statement(strings, values, send);
  const tag = (first: TemplateStringsArray | string | object, ...rest: unknown[]): unknown => {
    if (Array.isArray(first) && 'raw' in first) return part(first as readonly string[], rest);
    const all = [first].flat() as string[] | Row[];
    if (typeof all[0] === 'string') return part([(all as string[]).map(quoted).join(', ')]);
    const rows = all as Row[];
    const columns = rest.length > 0 ? (rest as string[]) : Object.keys(rows[0] ?? {});
    const start = `(${columns.map(quoted).join(', ')}) values (`;
    const before = rows.flatMap((_row, index) =>
      columns.map((_name, place) => (place > 0 ? ', ' : index > 0 ? '), (' : start)),
    );
    const values = rows.flatMap((row) => columns.map((name) => row[name] as unknown));
    return part([...before, ')'], values);
  };
  return Object.assign(tag, {
    set: (row: object) =>
      part(
        [...Object.keys(row).map((name, index) => `${index === 0 ? '' : ', '}${quoted(name)} = `), ''],
        Object.values(row),
      ),
    json: (value: JSONValue) => JSON.stringify(value),
    unsafe: (text: string, values?: readonly Param[]): unknown =>
      new Statement([text], [], () => send({ text, ...(values ? { values: values.map(encode) } : {}) })),
  }) as unknown as Queryable;
}
