import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext, describe } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { createPublicClient, erc20Abi, http, type Abi, type Hex } from 'viem';
import { MULTICALL3_ADDRESS, startChain, USDC_ADDRESS, type ChainOptions, type RunningChain } from './chain.ts';
import { commandLine, endSurvivor, spawnBound } from './child-process.ts';
import devUsdc from './dev-usdc.json' with { type: 'json' };
import { CannotRun } from '../cannot-run.ts';
import { createPool } from '../db/pool.ts';
import { openDataFolder } from './data-folder.ts';
import { type PostgresOptions, startPostgres } from './postgres.ts';
import { loadSecrets } from './secrets.ts';

const facilitatorAddress = '0x1111111111111111111111111111111111111111';
const payer = '0x2222222222222222222222222222222222222222';
const log = pino({ level: 'silent' });

const folders: string[] = [];
// This hook belongs to the whole file, so it runs after every part that a test stops.
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function temporary(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'concours-devnet-')));
  folders.push(folder);
  return folder;
}

async function start(t: TestContext, dataDir: string, options: Partial<ChainOptions> = {}): Promise<RunningChain> {
  const chain = await startChain({ dataDir, facilitatorAddress, log, ...options });
  t.after(() => chain.stop());
  return chain;
}

function reader({ rpcUrl }: RunningChain) {
  const client = createPublicClient({ transport: http(rpcUrl) });
  return {
    client,
    usdc: () => client.readContract({ address: USDC_ADDRESS, abi: erc20Abi, functionName: 'balanceOf', args: [payer] }),
    received: () =>
      client.getContractEvents({
        address: USDC_ADDRESS,
        abi: erc20Abi,
        eventName: 'Transfer',
        args: { to: payer },
        fromBlock: 0n,
      }),
  };
}

async function assertPaid(chain: RunningChain, hash: Hex, amount: bigint): Promise<void> {
  const { client, usdc, received } = reader(chain);
  assert.equal(await usdc(), amount);
  assert.equal((await client.getTransactionReceipt({ hash })).status, 'success');
  assert.ok((await received()).some((event) => event.transactionHash === hash));
}

test('gives gas to the facilitator, and mints test USDC to an address', async (t) => {
  const chain = await start(t, await temporary());
  const { client, usdc } = reader(chain);
  assert.equal(await client.getChainId(), 84_532);
  assert.ok((await client.getBalance({ address: facilitatorAddress })) > 10n ** 18n);
  // Concurrent unsigned transactions would collide on one nonce.
  await Promise.all(Array.from({ length: 20 }, () => chain.mintUsdc(payer, 250_000)));
  assert.equal(await usdc(), 5_000_000n);
});

test('a restart keeps balances, receipts, logs, and the RPC address', async (t) => {
  const dataDir = await temporary();
  const first = await start(t, dataDir);
  const hash = await first.mintUsdc(payer, 7);
  await first.stop();
  const second = await start(t, dataDir);
  assert.equal(second.rpcUrl, first.rpcUrl);
  await assertPaid(second, hash, 7n);
});

test('kill -9 of the start loses nothing and leaves no process behind', async (t) => {
  const dataDir = await temporary();
  const script = `
    import pino from 'pino';
    import { startChain } from ${JSON.stringify(join(import.meta.dirname, 'chain.ts'))};
    const chain = await startChain({ dataDir: process.argv[1], facilitatorAddress: '${facilitatorAddress}', log: pino({ level: 'silent' }) });
    console.log(await chain.mintUsdc('${payer}', 9));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [hash] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(await readFile(join(dataDir, 'chain', 'anvil.pid'), 'utf8'));
  parent.kill('SIGKILL');
  // At once: the old anvil is still writing its state.
  const chain = await start(t, dataDir);
  assert.equal(await commandLine(pid), null);
  await assertPaid(chain, String(hash).trim() as Hex, 9n);
});

test('a state that is damaged in both copies is not replaced by an empty chain', async (t) => {
  const dataDir = await temporary();
  await (await start(t, dataDir)).stop();
  await truncate(join(dataDir, 'chain', 'state.json'), 10);
  await writeFile(join(dataDir, 'chain', 'snapshot.gz'), 'no gzip');
  await assert.rejects(startChain({ dataDir, facilitatorAddress, log }), /state of the development chain is damaged/);
});

test('time passes on an idle chain, and every block is safe', async (t) => {
  const chain = await start(t, await temporary(), { heartbeatMs: 20 });
  const { client } = reader(chain);
  const begin = await client.getBlockNumber({ cacheTime: 0 });
  while ((await client.getBlockNumber({ cacheTime: 0 })) < begin + 2n) await wait(10);
  // Asked for after the latest one, so it is at least as new.
  const latest = await client.getBlock({ blockTag: 'latest' });
  const safe = await client.getBlock({ blockTag: 'safe' });
  assert.ok(safe.number >= latest.number);
  assert.ok(safe.number > begin);
  await chain.mine();
});

test('the test USDC answers like that of Base Sepolia, and Multicall3 is there', async (t) => {
  const { client } = reader(await start(t, await temporary()));
  const read = (functionName: string) =>
    client.readContract({ address: USDC_ADDRESS, abi: devUsdc.abi as Abi, functionName });
  const names = ['name', 'symbol', 'version', 'decimals', 'DOMAIN_SEPARATOR'];
  const domain = '0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818';
  assert.deepEqual(await Promise.all(names.map(read)), ['USDC', 'USDC', '2', 6, domain]);
  assert.notEqual(await client.getCode({ address: MULTICALL3_ADDRESS }), undefined);
  const mint = client.simulateContract({
    address: USDC_ADDRESS,
    abi: devUsdc.abi as Abi,
    functionName: 'mint',
    args: [payer, 1n],
    account: payer,
  });
  await assert.rejects(mint, /FiatToken: caller is not a minter/);
});

const quiet = { stdio: 'ignore' } as const;

test('ends a child, with stronger signals if it ignores the first', async () => {
  const script = 'trap "" INT; echo deaf; exec sleep 60';
  const child = spawnBound('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.process.stdout as Readable, 'data');
  await child.end([
    ['SIGINT', 50],
    ['SIGKILL', 5_000],
  ]);
  assert.deepEqual(await child.exited, { code: null, signal: 'SIGKILL' });
  assert.equal(child.running(), false);
  await child.end([['SIGINT', 50]]);
});

test('a surviving process is ended only when its command line matches', async () => {
  const child = spawnBound('/bin/sleep', ['61'], quiet);
  // Before, it is setpriv, and a program that is being replaced has no command line for an instant.
  while (!(await commandLine(child.pid))?.startsWith('/bin/sleep')) await wait(5);
  assert.equal(await endSurvivor(child.pid, ['sleep', '62']), 'absent');
  assert.equal(child.running(), true);
  assert.equal(await endSurvivor(child.pid, ['sleep', '61']), 'ended');
  assert.deepEqual(await child.exited, { code: null, signal: 'SIGINT' });
  assert.equal(await endSurvivor(child.pid, ['sleep', '61']), 'absent');
});

describe('a data folder', () => {
  test('creates the folder and its parts for this user only', async (t) => {
    const path = join(await temporary(), 'deep', 'data');
    const folder = openDataFolder(path);
    t.after(() => folder.release());
    assert.equal(folder.path, path);
    assert.equal((await stat(path)).mode & 0o777, 0o700);
    assert.equal((await stat(folder.folder('chain'))).mode & 0o777, 0o700);
  });

  test('says why the folder cannot be created', async () => {
    const path = await temporary();
    await writeFile(join(path, 'file'), '');
    assert.throws(
      () => openDataFolder(join(path, 'file', 'data')),
      (error) =>
        error instanceof CannotRun && /ENOTDIR.*Set DATA_DIR/.test(error.message) && error.message.includes(path),
    );
  });

  test('generates each secret once, readable by this user only', async () => {
    const folder = await temporary();
    const first = await loadSecrets(folder, randomBytes);
    assert.equal((await stat(join(folder, 'secrets.json'))).mode & 0o777, 0o600);
    assert.deepEqual(await loadSecrets(folder, randomBytes), first);
    assert.equal(new Set(Object.values(first)).size, Object.keys(first).length);
  });

  test('a damaged file is never replaced: its keys own money', async () => {
    const folder = await temporary();
    const file = join(folder, 'secrets.json');
    for (const damaged of ['', '{"treasuryKey":', '{"treasuryKey":"0x12"}', '[]x']) {
      await writeFile(file, damaged);
      await assert.rejects(loadSecrets(folder, randomBytes), CannotRun);
      assert.equal(await readFile(file, 'utf8'), damaged);
    }
  });
});

const password = 'p@ss/word %';

async function database(t: TestContext, dataDir: string, options: Partial<PostgresOptions> = {}) {
  const server = await startPostgres({ dataDir, password, log, durable: false, ...options });
  t.after(() => server.stop());
  return server;
}

async function query<Row>(url: string, text: string): Promise<Row | undefined> {
  const sql = createPool({ url, connections: 1 });
  try {
    const [row] = await sql.unsafe(text);
    return row as Row | undefined;
  } finally {
    await sql.end();
  }
}

test('keeps its data over a restart, also if its pid file names another process, and over a crash of the machine by default', async (t) => {
  const dataDir = await temporary();
  const server = await database(t, dataDir);
  await query(server.url, 'create table kept as select 42 as n');
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8');
  await server.stop();
  await assert.rejects(query(server.url, 'select 1'), /ECONNREFUSED/);
  // This very process: alive, and of the same user where the test is not run as root.
  await writeFile(pidFile, [process.pid, ...text.split('\n').slice(1)].join('\n'));
  const second = await database(t, dataDir, { durable: true });
  const found = await query<object>(
    second.url,
    `select n, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
    current_setting('full_page_writes') as pages, current_setting('listen_addresses') as listens, current_setting('data_checksums') as checksums from kept`,
  );
  assert.deepEqual(
    { ...found },
    { n: 42, fsync: 'on', commits: 'on', pages: 'on', listens: '127.0.0.1', checksums: 'on' },
  );
});

test('data of another major version is refused with a hint to DATABASE_URL', async () => {
  const dataDir = await temporary();
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await assert.rejects(
    startPostgres({ dataDir, password, log }),
    (error) => error instanceof CannotRun && /PostgreSQL 17/.test(error.message) && /DATABASE_URL/.test(error.message),
  );
});
