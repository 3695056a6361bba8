import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { operationOf as operationAt } from '../clients/check-answer.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PAGES = [
  'README.md',
  'sdk/README.md',
  'cli/README.md',
  'docs/agents.md',
  'docs/posters.md',
  'docs/development.md',
  'CONTRIBUTING.md',
];

/** An example: a block of code of a document. */
export type Block = { page: string; line: number; language: string; text: string };

/** Returns the examples of the guides, of the READMEs of users, and of the pages for contributors. */
export async function docBlocks(): Promise<Block[]> {
  return (await Promise.all(PAGES.map(blocksOf))).flat();
}

async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```/gm)].map(({ index, 1: language = '', 2: block = '' }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    text: block,
  }));
}

/** The place of an example, such as `docs/agents.md:73`. */
export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

/** Returns the parts of a request as the guide writes it. */
export function requestOf({ text }: Block): { line: string; headers: Record<string, string>; body: string } {
  const [head = '', ...bodies] = text.trim().split('\n\n');
  const [line = '', ...lines] = head.split('\n');
  const headers = lines.map((each) => {
    const [, name = '', value = ''] = /^([\w-]+): (.+)$/.exec(each) ?? assert.fail(each);
    return [name.toLowerCase(), value];
  });
  return { line, headers: Object.fromEntries(headers) as Record<string, string>, body: bodies.join('\n\n') };
}

/** Returns the operation of a request line such as `GET /agents/projects?status=open`. */
export function operationOf(line: string): OperationSpec | undefined {
  const [method = '', path = ''] = line.split(' ');
  return operationAt(method, path);
}
