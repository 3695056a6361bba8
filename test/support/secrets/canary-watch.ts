import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { World } from '../../../server/deps.ts';
import type { Db } from '../../../server/db/database.ts';

// Watches for leaked secrets in every test of the whole service. It remembers each secret that the service issues or
// receives. No part of a secret may occur in refusals, webhooks, logs, metrics, or a dump of the database.

const PART = 32;
const ZEROS = '0'.repeat(PART);
/** Parts of secrets, with the name of each secret. */
const planted = new Map<string, string>();

/**
 * Remembers a secret as text and as a dump writes bytes. A third of a secret is long enough to be useful. The search
 * skips the common prefix of keys and payments.
 */
export function plant(name: string, secret: string): void {
  for (const shape of [secret, Buffer.from(secret).toString('hex')]) {
    const lower = shape.toLowerCase();
    // Tests forge signatures of zeros. Such a text is no secret, and placeholders look like it.
    if (lower.length < PART || lower.endsWith(ZEROS)) continue;
    planted.set(lower.slice(-PART), name);
    if (lower.length >= 2 * PART) planted.set(lower.slice(-2 * PART, -PART), name);
  }
}

/** Appends every remembered part to a file, for the process of a service that this process has called. */
export function writePlanted(file: string): void {
  appendFileSync(file, [...planted].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

/** Remembers what `writePlanted` has written. */
export function readPlanted(file: string): void {
  if (!existsSync(file)) return;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const [part, name] = JSON.parse(line) as [string, string];
    planted.set(part, name);
  }
}

const RUN = /[0-9a-z_+/=-]{32,}/g;

/**
 * Returns the names of the secrets of which the text contains any part. It reads the text once, however many secrets
 * exist.
 */
function plantedIn(text: string): string[] {
  const found = new Set<string>();
  for (const [run] of text.toLowerCase().matchAll(RUN))
    for (let from = 0; from + PART <= run.length; from += 1) {
      const name = planted.get(run.slice(from, from + PART));
      if (name !== undefined) found.add(name);
    }
  return [...found];
}

function assertFree(place: string, text: string): void {
  assert.deepEqual(plantedIn(text), [], `secrets in ${place}`);
}

const PAYMENT_HEADERS = ['payment-signature', 'x-payment'];

/** A `fetch` for clients that remembers their payments as they leave. */
export const watchedFetch: typeof fetch = async (input, init) => {
  const headers = init?.headers || !(input instanceof Request) ? new Headers(init?.headers) : input.headers;
  for (const name of PAYMENT_HEADERS) {
    const signature = signatureIn(headers.get(name));
    if (signature !== null) plant('the signature of a payment', signature);
  }
  return await fetch(input, init);
};

function signatureIn(header: string | null): string | null {
  if (header === null) return null;
  try {
    const { payload } = JSON.parse(Buffer.from(header, 'base64').toString()) as {
      payload: { signature: unknown };
    };
    return typeof payload.signature === 'string' ? payload.signature : null;
  } catch {
    return null;
  }
}

/** Remembers a secret in an answer that issues one, and asserts that no refusal contains a secret. */
export function watchAnswer(path: string, { status, headers }: Response, text: string): void {
  if (status >= 400) return assertFree(`a refusal of ${path}`, text + JSON.stringify([...headers]));
  for (const [, name = '', secret = ''] of text.matchAll(
    /"(apiKey|code_secret|webhook_secret|signing_secret)":"([^"]+)"/g,
  ))
    plant(name, secret);
  for (const cookie of headers.getSetCookie())
    plant("a session's token", cookie.split(';')[0]?.replace(/^[^=]*=/, '') ?? '');
  return undefined;
}

/** Returns the same world. Adds the text of each webhook that it sends to `sentWebhooks`. */
export function watched(world: World, sentWebhooks: string[]): World {
  return {
    ...world,
    async deliverWebhook(delivery) {
      sentWebhooks.push(JSON.stringify(delivery.headers) + Buffer.from(delivery.body).toString());
      return await world.deliverWebhook(delivery);
    },
  };
}

type Ended = { url: string; operatorKey: string; db: World['db']; logLines: string[]; sentWebhooks: string[] };

/** Searches for leaked secrets. Call it before the service ends. */
export async function assertNothingLeft({ url, operatorKey, db, logLines, sentWebhooks }: Ended): Promise<void> {
  assertFree('webhooks', sentWebhooks.join('\n'));
  const figures = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${operatorKey}` } });
  assertFree('the figures', await figures.text());
  await assertNothingKept(db, logLines.join('\n'));
}

/** Searches the database and the log for secrets after separate service processes have ended. */
export async function assertNothingKept(db: World['db'], log: string): Promise<void> {
  assertFree('the log', log);
  for (const [table, rows] of await dumpOf(db)) assertFree(`the table ${table}`, rows);
}

/** Returns every row of every table as text, with bytes in hexadecimal as in a dump. */
async function dumpOf(db: Db): Promise<Map<string, string>> {
  const tables = await db<{ name: string }[]>`
    select quote_ident(relname) as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`;
  // One statement, because each file of tests ends with this search.
  const texts = tables.map(({ name }) => `(select string_agg(t::text, E'\\n') from ${name} t)`);
  const [whole] = await db.unsafe<{ texts: (string | null)[] }[]>(`select array[${texts.join()}] as texts`);
  return new Map(tables.map(({ name }, index) => [name, whole!.texts[index] ?? '']));
}
