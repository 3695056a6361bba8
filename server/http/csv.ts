import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import type { HttpAnswer } from './answers/responses.ts';
import type { ApiRequest } from './request-handler.ts';

type AnswerRequest = (request: ApiRequest) => Promise<HttpAnswer>;
/** A list of the operator: the field that holds its rows, and the columns of a row. */
type List = { field: string; columns: string[]; limit: string | null };
type Page = { rows: unknown[]; next: string | null };

const IDLE_MS = 60_000;
const PAGING = new Set(['has_more', 'next_cursor', 'counts']);
const LIMITS = ['100', '50'];
/** A spreadsheet takes a text that begins like this for a formula, also after a semicolon or a tab: some split cells there. */
const FORMULA = /(^|[;\t])(?=\s*[=+\-@\t\r])/g;

/**
 * Returns an `answer` that sends a list of the operator as CSV, from its first row to its last, to a request that accepts
 * `text/csv`. Each page is a request of its own with the same key: the same scope, the same filters, the same rows. So one
 * page at a time is in memory, and a key that is revoked meanwhile ends the file. Other operations keep their `answer`.
 */
export function withCsv(spec: OperationSpec, answer: AnswerRequest): AnswerRequest {
  const list = spec.auth === 'operator' && spec.method === 'get' ? listOf(spec) : null;
  if (list === null) return answer;
  return async (request) => (wantsCsv(request) ? await csvAnswer(answer, request, list) : await answer(request));
}

function wantsCsv({ incoming, headers }: ApiRequest): boolean {
  // The router also answers HEAD, which gets no file.
  return incoming.method === 'GET' && /(?:^|,)\s*text\/csv\s*(?:$|[,;])/i.test(headers.get('accept') ?? '');
}

/** Returns how the operation lists rows; null if it returns something else. */
function listOf({ output, query }: OperationSpec): List | null {
  if (!(output instanceof z.ZodObject)) return null;
  const [field, ...others] = Object.keys(output.shape).filter((name) => !PAGING.has(name));
  const rows: unknown = field === undefined ? null : output.shape[field];
  if (field === undefined || others.length > 0 || !(rows instanceof z.ZodArray)) return null;
  const given: unknown = query instanceof z.ZodObject ? query.shape['limit'] : null;
  const limit = given instanceof z.ZodType ? (LIMITS.find((most) => given.safeParse(most).success) ?? null) : null;
  return { field, columns: columnsOf(rows.element, ''), limit };
}

/** The paths of all values in an object: `parties.agent.name`. */
function columnsOf(schema: unknown, path: string): string[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return columnsOf(schema.unwrap(), path);
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape).flatMap(([name, inner]) => columnsOf(inner, path ? `${path}.${name}` : name));
}

async function csvAnswer(answer: AnswerRequest, request: ApiRequest, list: List): Promise<HttpAnswer> {
  const page = async (cursor: string | null) => await answer({ ...request, url: pageUrl(request.url, list, cursor) });
  const first = await page(null);
  if (first.status !== 200) return first;
  const headers = {
    ...first.headers,
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${list.field}.csv"`,
  };
  return { status: 200, headers, body: '', stream: (outgoing) => void send(outgoing, list, first, page) };
}

function pageUrl(url: string, { limit }: List, cursor: string | null): string {
  const [path = '', query = ''] = url.split('?');
  const search = new URLSearchParams(query);
  if (limit !== null) search.set('limit', limit);
  if (cursor !== null) search.set('cursor', cursor);
  return `${path}?${search.toString()}`;
}

/**
 * A failure, or a client that takes nothing for a minute, closes the connection, so that no client takes a part of
 * the file for all of it.
 */
async function send(
  outgoing: ServerResponse,
  list: List,
  first: HttpAnswer,
  page: (cursor: string | null) => Promise<HttpAnswer>,
): Promise<void> {
  outgoing.setTimeout(IDLE_MS, () => outgoing.destroy());
  // `pipeline` has closed the connection by then, and a page that failed is in the log.
  await pipeline(textOf(list, first, page), outgoing).catch(() => {});
}

/** The head of the file, and then the lines of one page after the other. */
async function* textOf(
  list: List,
  first: HttpAnswer,
  page: (cursor: string | null) => Promise<HttpAnswer>,
): AsyncGenerator<string, void> {
  yield `${list.columns.map(cell).join(',')}\r\n`;
  for (let shown = first; ;) {
    const { rows, next } = readPage(shown, list);
    if (rows.length > 0) yield rows.map((row) => lineOf(row, list)).join('');
    if (next === null) return;
    shown = await page(next);
    if (shown.status !== 200) throw new Error(`a page answered ${shown.status}`);
  }
}

function readPage({ body }: HttpAnswer, { field }: List): Page {
  const { data } = JSON.parse(body.toString()) as { data: Record<string, unknown> };
  const { [field]: rows, next_cursor: next } = data;
  return { rows: Array.isArray(rows) ? rows : [], next: typeof next === 'string' ? next : null };
}

function lineOf(row: unknown, { columns }: List): string {
  return `${columns.map((path) => cell(valueAt(row, path))).join(',')}\r\n`;
}

function valueAt(row: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return null;
    return (value as Record<string, unknown>)[name];
  }, row);
}

/** Writes one value. A text that a spreadsheet would compute gets an apostrophe before it. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = text.replaceAll(FORMULA, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
