import { hash } from 'node:crypto';
import type { Json, JSONValue, Names, Param, Queryable, Row, Rows } from './database.ts';

/** A statement as the driver takes it. Without a name, PostgreSQL prepares nothing. */
export type Compiled = { text: string; values?: unknown[]; name?: string };
/** Sends a statement, and returns its rows. */
export type Send = (statement: Compiled) => Promise<Result>;
export type Result = Row[] & { readonly count: number };

class JsonParam implements Json {
  readonly json: string;
  constructor(value: JSONValue) {
    this.json = JSON.stringify(value);
  }
}

class NameList implements Names {
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    this.names = names;
  }
}

class RowList implements Rows {
  readonly rows: readonly object[];
  readonly columns: readonly string[];
  constructor(rows: readonly object[], columns: readonly string[]) {
    this.rows = rows;
    this.columns = columns.length > 0 ? columns : Object.keys(rows[0] ?? {});
  }
}

/** A statement that is sent by its first `then`, or a part of another one. */
class Statement {
  readonly #strings: readonly string[];
  readonly #values: readonly unknown[];
  readonly #send: Send;
  #sent: Promise<Result> | null = null;

  constructor(strings: readonly string[], values: readonly unknown[], send: Send) {
    this.#strings = strings;
    this.#values = values;
    this.#send = send;
  }

  // eslint-disable-next-line unicorn/no-thenable -- `await` sends it
  then<A = Result, B = never>(
    done?: ((rows: Result) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#sent ??= this.#send(compile(this.#strings, this.#values));
    // eslint-disable-next-line promise/no-callback-in-promise -- it is `then` itself
    return this.#sent.then(done, failed);
  }

  catch<B>(failed: (error: unknown) => B): Promise<Result | B> {
    return this.then(null, failed);
  }

  finally(done: () => void): Promise<Result> {
    return this.then(null).finally(done);
  }

  appendTo(out: Draft): void {
    append(out, this.#strings, this.#values);
  }
}

/** Statements with more parameters insert rows. Each number of rows is another text, which would stay on the server. */
const MOST_PREPARED = 100;

type Draft = { text: string; values: unknown[] };

/** The text and name of each template, as long as all of its values are parameters: it never differs then. */
const known = new WeakMap<readonly string[], Required<Pick<Compiled, 'text' | 'name'>>>();
const isParam = (value: unknown): boolean =>
  !(value instanceof Statement || value instanceof NameList || value instanceof RowList);

function compile(strings: readonly string[], values: readonly unknown[]): Compiled {
  const isPlain = values.every(isParam);
  const found = isPlain ? known.get(strings) : undefined;
  if (found) return { ...found, values: values.map(encode) };
  const out: Draft = { text: '', values: [] };
  append(out, strings, values);
  if (out.values.length > MOST_PREPARED) return out;
  // A digest, because PostgreSQL takes 63 bytes, and one name must never mean two texts.
  const named = { text: out.text, name: hash('sha256', out.text, 'base64url') };
  if (isPlain) known.set(strings, named);
  return { ...named, values: out.values };
}

function append(out: Draft, strings: readonly string[], values: readonly unknown[]): void {
  for (const [index, string] of strings.entries()) {
    out.text += string;
    if (index < values.length) appendValue(out, values[index]);
  }
}

function appendValue(out: Draft, value: unknown): void {
  if (value instanceof Statement) value.appendTo(out);
  else if (value instanceof NameList) out.text += value.names.map(quoted).join(', ');
  else if (value instanceof RowList) appendRows(out, value);
  else out.text += `$${out.values.push(encode(value))}`;
}

function appendRows(out: Draft, { rows, columns }: RowList): void {
  if (/\bset\s+$/i.test(out.text)) {
    for (const [index, column] of columns.entries()) {
      out.text += `${index === 0 ? '' : ', '}${quoted(column)} = `;
      appendValue(out, (rows[0] as Row)[column]);
    }
    return;
  }
  out.text += `(${columns.map(quoted).join(', ')}) values `;
  for (const [index, row] of rows.entries()) {
    out.text += index === 0 ? '(' : ', (';
    for (const [place, column] of columns.entries()) {
      if (place > 0) out.text += ', ';
      appendValue(out, (row as Row)[column]);
    }
    out.text += ')';
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns what the driver sends as it is, or writes into an array. */
function encode(value: unknown): unknown {
  if (value instanceof JsonParam) return value.json;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(encode);
  if (value === undefined) throw new TypeError('a parameter of a statement is undefined');
  return value;
}

/** Returns the tag of a template, with its helpers. It sends each statement by `send`. */
export function createTag(send: Send): Queryable {
  const tag = (first: TemplateStringsArray | string | object, ...rest: unknown[]): unknown => {
    if (Array.isArray(first) && 'raw' in first) return new Statement(first as readonly string[], rest, send);
    if (typeof first === 'string') return new NameList([first]);
    const rows = Array.isArray(first) ? (first as unknown[]) : [first];
    if (typeof rows[0] === 'string') return new NameList(rows as string[]);
    return new RowList(rows as object[], rest as string[]);
  };
  return Object.assign(tag, {
    json: (value: JSONValue): Json => new JsonParam(value),
    unsafe: (text: string, values?: readonly Param[]): unknown =>
      new Statement([text], [], () => send({ text, ...(values ? { values: values.map(encode) } : {}) })),
  }) as unknown as Queryable;
}
