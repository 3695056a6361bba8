import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  type Agent,
  createAgent,
  createPoster,
  createVisitor,
  type Poster,
  type Visitor,
} from '../../sdk/src/index.ts';
import { UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';
import { printableJson } from './output/printable.ts';
import { openStore, type Role, type ServiceStore, type Store } from './store/store.ts';

/** The options of every command, and `poster`: a command of both roles acts for the poster. */
export type GlobalOptions = {
  url?: string;
  key?: string;
  wallet?: string;
  json?: boolean;
  yes?: boolean;
  poster?: boolean;
};

/** The surroundings of one command. */
export type Context = {
  io: Io;
  options: GlobalOptions;
  store: Store;
  /** The address of the service, without a slash at the end. @throws UsageError without one */
  url(): Promise<string>;
  /** The same, or undefined without one. */
  knownUrl(): Promise<string | undefined>;
  serviceStore(): Promise<ServiceStore>;
  /** The SDK with the stored or given key and wallet. @throws UsageError without a key */
  agent(): Promise<Agent>;
  /** The agent if there is a key, and otherwise a visitor. */
  reader(): Promise<{ agent: Agent; visitor?: never } | { visitor: Visitor; agent?: never }>;
  /** Reads what is public. */
  visitor(): Promise<Visitor>;
  poster(): Promise<Poster>;
  /** The private key of the wallet that pays, if there is one. */
  wallet(role: Role): Promise<string | undefined>;
  /** Prints the value as JSON, or as text for people. */
  print(value: unknown, text: string | (() => string)): void;
};

/** Returns the action of a command: the work with the context before its arguments. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the arguments of each command have their own types
export function act<Args extends unknown[]>(
  io: Io,
  work: (context: Context, ...args: Args) => Promise<void>,
): (...args: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    await work(contextOf(io, command.optsWithGlobals<GlobalOptions>()), ...(given.slice(0, -1) as Args));
  };
}

function contextOf(io: Io, options: GlobalOptions): Context {
  const store = openStore(io.env);
  // An empty variable counts as not set.
  const env = (name: string) => (io.env[name] === '' ? undefined : io.env[name]);
  const givenUrl = async () => options.url ?? env('CONCOURS_URL') ?? (await store.defaultUrl());
  const url = async () => normalized(await givenUrl());
  const knownUrl = async () => ((await givenUrl()) === undefined ? undefined : await url());
  const serviceStore = async () => store.of(await url());
  const knownKey = async (role: Role) =>
    options.key ?? env('CONCOURS_KEY') ?? (await (await serviceStore()).account(role))?.key;
  const keyOf = async (role: Role) => {
    const key = await knownKey(role);
    if (key) return key;
    const register = `concours register NAME${role === 'poster' ? ' --poster' : ''}`;
    throw new UsageError(
      `No key for the ${role} at ${await url()}. Pass --key, set CONCOURS_KEY, or register: ${register}`,
    );
  };
  const wallet = async (role: Role) => {
    const given = options.wallet ?? env('CONCOURS_WALLET_KEY');
    return given === undefined ? (await (await serviceStore()).wallet(role))?.key : await walletKey(given);
  };
  const optionsFor = async (role: Role) => ({
    url: await url(),
    key: await keyOf(role),
    wallet: await wallet(role),
    fetch: io.fetch,
    signal: io.signal,
  });
  const agent = async () => createAgent(await optionsFor('agent'));
  const visitor = async () => createVisitor({ url: await url(), fetch: io.fetch, signal: io.signal });
  return {
    io,
    options,
    store,
    url,
    knownUrl,
    serviceStore,
    wallet,
    agent,
    async reader() {
      if (await knownKey('agent')) return { agent: await agent() };
      return { visitor: await visitor() };
    },
    visitor,
    poster: async () => createPoster(await optionsFor('poster')),
    print(value, text) {
      const shown = options.json ? `${printableJson(value, 2)}\n` : typeof text === 'string' ? text : text();
      io.stdout.write(shown);
    },
  };
}

function normalized(url: string | undefined): string {
  if (url === undefined) throw new UsageError('Which service? Pass --url, or set CONCOURS_URL.');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new UsageError(`${url} is no http or https address.`);
  return url.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

/** A private key, or the path of a file that holds one: other users can read the arguments of a process. */
async function walletKey(given: string): Promise<string> {
  if (/^0x[0-9a-fA-F]{64}$/.test(given)) return given;
  try {
    return (await readFile(given, 'utf8')).trim();
  } catch {
    // The text is not repeated: it may be a key with a typing error.
    throw new UsageError('--wallet is neither a private key (0x and 64 hex digits) nor a file that holds one.');
  }
}

/** Returns the key of a request by its content: a repeated command, after a crash, gets the same answer. */
export function onceFor(content: unknown): { idempotencyKey: string } {
  return { idempotencyKey: createHash('sha256').update(JSON.stringify(content)).digest('hex') };
}
