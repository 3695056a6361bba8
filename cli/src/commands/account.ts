import { type Command, Option } from 'commander';
import {
  type AgentKey,
  createAgent,
  createPoster,
  type Keys,
  type PosterKey,
  type PosterKeys,
  type ProjectMoney,
} from '../../../sdk/src/index.ts';
import { confirm } from '../approve.ts';
import { act, type Context } from '../context.ts';
import type { Io } from '../io.ts';
import { time, usdc } from '../output/printable.ts';
import { type Columns, pairsOf, tableOf } from '../output/table.ts';
import type { Role } from '../store/store.ts';
import { limitOption, take } from './take.ts';

export function addMoney(program: Command, io: Io): void {
  const money = program.command('money').description('show what you paid and received, in total and by project');
  money.addOption(limitOption()).action(act(io, showMoney));
}

const moneyColumns: Columns<ProjectMoney> = {
  ENTRY: ({ submission_id: id }) => id,
  FEES: ({ fees_micro: micro }) => usdc(micro),
  REFUNDS: ({ refunds_micro: micro }) => usdc(micro),
  PRIZES: ({ prizes_micro: micro }) => usdc(micro),
  NET: ({ net_micro: micro }) => usdc(micro),
  PENDING: ({ pending_micro: micro }) => usdc(micro),
  PROJECT: ({ project_title: title }) => title,
};

async function showMoney(context: Context, { limit }: { limit: number }): Promise<void> {
  const { total, projects } = await (await context.agent()).money();
  const rows = await take(projects, limit);
  const sums = Object.entries(total).map(([name, micro]): [string, string] => [
    name.replace('_micro', ''),
    `${usdc(micro)} USDC`,
  ]);
  context.print(
    { total, projects: rows },
    () => `${pairsOf(Object.fromEntries(sums))}\n${tableOf(rows, moneyColumns, context.io.stdout.columns)}`,
  );
}

export function addWallet(program: Command, io: Io): void {
  const poster = new Option('--poster', 'the wallet that pays prizes instead of entry fees');
  const wallet = program.command('wallet').description('show your wallets');
  wallet.action(act(io, showWallet));
  wallet
    .command('new')
    .description('create a wallet, and store its private key: there is no other copy')
    .addOption(poster)
    .action(act(io, newWallet));
  wallet
    .command('link')
    .description('prove that the wallet is yours, so that it receives your prizes')
    .action(act(io, linkWallet));
  wallet
    .command('fund')
    .description('put test USDC into the wallet; only a development start of the service can')
    .argument('<usdc>', 'amount')
    .addOption(poster)
    .action(act(io, fundWallet));
}

async function showWallet(context: Context): Promise<void> {
  const store = await context.serviceStore();
  const [agent, poster] = await Promise.all([store.wallet('agent'), store.wallet('poster')]);
  // A poster has no wallet at the service: its wallets are those that this command keeps.
  const { agent: known } = agent || poster ? await context.reader() : { agent: await context.agent() };
  const wallet = known && (await known.me()).wallet;
  const shown = {
    ...wallet,
    pending: wallet?.pending?.address,
    'pays entry fees': agent?.address,
    'pays prizes': poster?.address,
  };
  context.print({ ...wallet, agent_wallet: agent?.address, poster_wallet: poster?.address }, () => pairsOf(shown));
}

const roleOf = (options: { poster?: boolean }): Role => (options.poster ? 'poster' : 'agent');

async function newWallet(context: Context, options: { poster?: boolean }): Promise<void> {
  const store = await context.serviceStore();
  const role = roleOf(options);
  // Loaded here, because it takes a tenth of a second.
  const { generatePrivateKey, privateKeyToAddress } = await import('viem/accounts');
  const key = generatePrivateKey();
  const address = privateKeyToAddress(key);
  await store.addWallet(role, { address, key });
  const file = store.path(role, 'wallet');
  context.print({ address, key_file: file }, () => pairsOf({ address, 'private key': file }));
}

async function linkWallet(context: Context): Promise<void> {
  const wallet = await (await context.agent()).linkWallet();
  context.print(wallet, () => pairsOf({ ...wallet, pending: wallet.pending?.address }));
}

async function fundWallet(context: Context, amount: string, options: { poster?: boolean }): Promise<void> {
  const role = roleOf(options);
  const { fetch, signal } = context.io;
  const service = { url: await context.url(), wallet: await context.wallet(role), fetch, signal };
  await (options.poster ? createPoster(service) : createAgent(service)).faucet(amount);
  context.print({ funded: amount }, pairsOf({ funded: `${amount} USDC` }));
}

export function addKeys(program: Command, io: Io): void {
  const poster = new Option('--poster', 'the keys of the poster instead of those of the agent');
  const keys = program.command('keys').description('list your keys').addOption(poster);
  keys.action(act(io, listKeys));
  keys
    .command('create')
    .description('create a further key. Only this command shows it')
    .argument('<name>', 'a name for yourself')
    .addOption(
      new Option('--scope <scope>', 'what the key may do: full is for posters, enter and owner are for agents')
        .choices(['read', 'enter', 'owner', 'full'])
        .makeOptionMandatory(),
    )
    .addOption(poster)
    .action(act(io, createKey));
  keys
    .command('revoke')
    .description('end a key at once')
    .argument('<key-id>', 'id of the key')
    .addOption(poster)
    .action(act(io, revokeKey));
}

const keyColumns: Columns<AgentKey | PosterKey> = {
  ID: ({ id }) => id,
  SCOPE: ({ scope }) => scope,
  CREATED: ({ createdAt }) => time(createdAt),
  'LAST USED': ({ lastUsedAt }) => time(lastUsedAt),
  REVOKED: ({ expiresAt }) => time(expiresAt),
  NAME: ({ name, current }) => `${name ?? ''}${current ? ' (this one)' : ''}`,
};

/** The keys of the role that the command names. */
async function keysOf(context: Context): Promise<Keys | PosterKeys> {
  return (await (context.options.poster ? context.poster() : context.agent())).keys;
}

async function listKeys(context: Context): Promise<void> {
  const keys: (AgentKey | PosterKey)[] = await (await keysOf(context)).list();
  context.print(keys, () => tableOf(keys, keyColumns, context.io.stdout.columns));
}

async function createKey(context: Context, name: string, { scope }: { scope: string }): Promise<void> {
  // The service refuses a scope of the other role.
  const { keyId: id, apiKey: key } = await (await keysOf(context)).create(name, scope as 'read');
  context.print({ id, name, scope, key }, pairsOf({ id, name, scope, key }));
}

async function revokeKey(context: Context, id: string): Promise<void> {
  const keys = await keysOf(context);
  const isOwn = (await keys.list()).some((key) => key.id === id && key.current);
  if (isOwn) await confirm(context, 'This is the key of this command. Revoke it');
  await keys.revoke(id);
  context.print({ revoked: id }, pairsOf({ revoked: id }));
}
