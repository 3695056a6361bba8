import assert from 'node:assert/strict';
import fs, { appendFile, chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, mock } from 'node:test';
import type { Fetch } from '../../sdk/src/index.ts';
import { type CliRun, commandLine } from '../support/sdk/cli.ts';
import { drawing } from '../support/clients/journey.ts';
import { sdkFetch } from '../support/sdk/sdk.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';
import { chainAt } from '../support/money/chain-reads.ts';

// Every command against a real service: a poster and an agent use nothing but the command line.

const FEE_MICRO = 250_000;
const MODE = 0o777;

const { url, rpcUrl } = await sharedWorld();
const chain = chainAt(rpcUrl);
const folder = await mkdtemp(join(tmpdir(), 'concours-cli-'));
after(() => rm(folder, { recursive: true }));
const concours = commandLine(folder, url);

function done(run: CliRun): CliRun {
  assert.equal(run.code, 0, `${run.stderr}${run.stdout}`);
  return run;
}

const picture = join(folder, 'Dawn at sea.png');
await writeFile(picture, await drawing(3));

async function balanceOf(role: 'agent' | 'poster'): Promise<number> {
  const { agent_wallet: agent, poster_wallet: poster } = done(await concours(['wallet', '--json'])).json();
  return await chain.balanceMicro((role === 'agent' ? agent : poster).toLowerCase());
}

function brief(fields: object = {}): string {
  return JSON.stringify({
    title: 'A poster for a lighthouse festival',
    description: 'A poster that shows a lighthouse at dusk, calm water and one boat.',
    prize_amount: 1,
    entry_fee: FEE_MICRO / 1e6,
    specializations: ['logo-design'],
    auto_select_deadline: new Date(Date.now() + 3_600_000).toISOString(),
    ...fields,
  });
}

async function openProject(fields: object = {}): Promise<string> {
  const draft = done(await concours(['brief', 'new', '-', '--json'], { stdin: brief(fields) })).json();
  done(await concours(['brief', 'publish', draft.id, '--max-spend', '1', '--yes']));
  return draft.id;
}

describe('registration', () => {
  const register = ['register', 'Atelier', '--description', 'Paints small pictures of the sea.'];
  const agent = [...register, '--specializations', 'logo-design'];

  it('stores the key for its owner only, and once, although the first answer is lost', async () => {
    let lost = false;
    const dying = new AbortController();
    const losing: Fetch = async (input, init) => {
      const response = await sdkFetch(input, init);
      if (lost || !input.endsWith('/agents/create')) return response;
      lost = true;
      dying.abort();
      throw new TypeError('terminated');
    };
    const killed = await concours(agent, { fetch: losing, signal: dying.signal });
    assert.deepEqual([killed.code, lost], [130, true]);
    const { key_file: file } = done(await concours([...agent, '--json'])).json();
    assert.equal((await stat(file)).mode & MODE, 0o600);
    assert.equal((await stat(join(file, '..'))).mode & MODE, 0o700);
    const { key } = JSON.parse(await readFile(file, 'utf8')) as { key: string };
    assert.match(key, /^ck_/);
    const again = await concours(agent);
    assert.deepEqual([again.code, again.stdout], [2, '']);
    assert.match(again.stderr, /registered at .* already\. Its key is in/);
    assert.deepEqual(
      (await readdir(join(file, '..'))).filter((name) => name.includes('registration')),
      [],
    );
  });

  it('refuses a key file that others can read', async () => {
    const { key_file: file } = done(await concours(['register', 'Almanac House', '--poster', '--json'])).json();
    await chmod(file, 0o644);
    const { code, stderr } = await concours(['brief', 'list']);
    assert.equal(code, 2);
    assert.match(stderr, /chmod 600/);
    await chmod(file, 0o600);
    assert.deepEqual(done(await concours(['brief', 'list', '--json'])).json(), []);
  });

  it('creates wallets once, and funds them on a development start', async () => {
    for (const role of [[], ['--poster']]) {
      const { key_file: file } = done(await concours(['wallet', 'new', ...role, '--json'])).json();
      assert.equal((await stat(file)).mode & MODE, 0o600);
      assert.equal((await concours(['wallet', 'new', ...role])).code, 2, 'the key of the first wallet stays');
      done(await concours(['wallet', 'fund', '10', ...role]));
    }
    assert.deepEqual([await balanceOf('agent'), await balanceOf('poster')], [10_000_000, 10_000_000]);
    assert.equal(done(await concours(['wallet', 'link', '--json'])).json().proven, true);
  });

  it('says which service, key, or wallet is missing', async () => {
    const elsewhere = commandLine(join(folder, 'empty'));
    const cases: [string[], RegExp][] = [
      [['market'], /Pass --url/],
      [['market', '--url', 'ftp://x'], /no http or https address/],
      [['entries', '--url', url], /concours register/],
      [['enter', 'x', '--wallet', 'missing', '--url', url, '--key', 'k'], /--wallet is neither/],
      [['nonsense'], /unknown command/],
    ];
    for (const [args, expected] of cases) {
      const { code, stderr } = await elsewhere(args);
      assert.deepEqual([code, expected.test(stderr)], [2, true], stderr);
    }
  });
});

it('a brief is saved once, and again after its draft was deleted or canceled', async () => {
  const stdin = brief();
  const save = async () => done(await concours(['brief', 'new', '-', '--json'], { stdin })).json().id;
  const ids = [await save()];
  for (const end of ['delete', 'cancel']) {
    done(await concours(['brief', end, ids.at(-1) ?? '', '--yes']));
    ids.push(await save());
    assert.equal(await save(), ids.at(-1), 'a repeated command saves nothing');
  }
  assert.equal(new Set(ids).size, 3);
});

describe('a payment', () => {
  it('needs a cap and --yes without a terminal, and a confirmation at one', async () => {
    const draft = done(await concours(['brief', 'new', '-', '--json'], { stdin: brief() })).json();
    const again = done(await concours(['brief', 'new', '-', '--json'], { stdin: brief() })).json();
    assert.notEqual(again.id, draft.id, 'another deadline is another brief');
    const publish = ['brief', 'publish', draft.id];
    const refused: [string[], { answer?: string }, RegExp][] = [
      [publish, {}, /Pass --max-spend/],
      [[...publish, '--yes'], {}, /Pass --max-spend/],
      [[...publish, '--max-spend', '1'], {}, /Pass --yes/],
      [[...publish, '--max-spend', '0.99', '--yes'], {}, /more than --max-spend 0\.99/],
      [publish, { answer: '' }, /Pay 1\.00 USDC into escrow for “A poster.*Not confirmed/],
    ];
    for (const [args, options, expected] of refused) {
      const { code, stderr } = await concours(args, options);
      assert.deepEqual([code, expected.test(stderr)], [3, true], stderr);
    }
    assert.equal(await balanceOf('poster'), 10_000_000);
    assert.match(done(await concours(publish, { answer: 'y' })).stdout, /status +open/);
    done(await concours(publish));
    assert.equal(await balanceOf('poster'), 9_000_000, 'paid once');
    done(await concours(['brief', 'cancel', draft.id, '--reason', 'A test.', '--yes']));
    const shown = async () => done(await concours(['brief', 'show', draft.id, '--json'])).json();
    await until('the refund', async () => (await shown()).payout_status === 'settled');
    assert.equal((await shown()).status, 'cancelled');
  });
});

describe('from the market to the delivery', () => {
  it('enters, is judged, wins, and is verified', async () => {
    const project = await openProject({ title: 'A lighthouse \u001b[2J at\u202e night' });
    const find = ['market', '--max-fee', '0.5', '--specializations', 'logo-design', '--limit', '50'];
    const market = done(await concours(find));
    const visitor = commandLine(join(folder, 'visitor'), url);
    for (const { stdout } of [market, done(await visitor(find))])
      assert.match(stdout, new RegExp(`^ID +PRIZE[^]*^${project} +1\\.00 +0\\.25`, 'm'));
    assert.equal(done(await visitor(['show', project])).stdout, done(await concours(['show', project])).stdout);
    assert.doesNotMatch(market.stdout, /(?!\n)[\p{Cc}\u202e]/u);
    const shown = done(await concours(['show', project, '--json']));
    assert.doesNotMatch(shown.stdout, /(?!\n)[\p{Cc}\u202e]/u);
    assert.match(shown.json().title, /\u202e/, 'JSON keeps the text');
    assert.match(done(await concours(['show', project])).stdout, /calm water/);
    assert.match(done(await concours(['quote', project])).stdout, /possible +yes/);

    const enter = ['enter', project, picture];
    const before = await balanceOf('agent');
    for (const [args, expected] of [
      [enter, /Pass --max-fee/],
      [[...enter, '--yes', '--max-fee', '0.2'], /The price is 0\.25 USDC/],
    ] as const) {
      const { code, stderr } = await concours([...args]);
      assert.deepEqual([code, expected.test(stderr)], [3, true], stderr);
    }
    const entry = done(await concours([...enter, '--json'], { answer: 'yes' }));
    assert.match(entry.stderr, /Pay 0\.25 USDC to enter “A lighthouse/);
    assert.match(entry.stderr, /Paying 0\.25 USDC/, 'progress on a terminal');
    const { id, title, status } = entry.json();
    assert.deepEqual([title, status], ['Dawn at sea', 'submitted']);
    assert.equal(done(await concours(enter)).stderr, '', 'a repeated entry needs no payment and no confirmation');
    assert.equal(await balanceOf('agent'), before - FEE_MICRO);
    assert.match(done(await concours(['entries'])).stdout, new RegExp(`${id} +submitted +0\\.25 +settled`));

    assert.match(done(await concours(['brief', 'entries', project])).stdout, new RegExp(`${id}.*Atelier`));
    done(await concours(['brief', 'close', project]));
    const stateOf = async () => done(await concours(['brief', 'show', project, '--json'])).json().status;
    await until('judging', async () => (await stateOf()) === 'judging');
    assert.equal((await concours(['brief', 'score', project, id, '6'])).code, 2);
    done(await concours(['brief', 'score', project, id, '5', 'Good light.']));
    assert.equal((await concours(['brief', 'choose', project, id])).code, 3);
    assert.match(
      done(await concours(['brief', 'choose', project, id], { answer: 'y' })).stderr,
      /wins “A lighthouse .* and receives 0\.95 USDC/,
    );
    await until('the prize', async () => (await stateOf()) === 'completed');

    const delivered = join(folder, 'delivered');
    const full = mock.method(fs, 'writeFile', async (path: string, content: Uint8Array) => {
      await appendFile(path, content.subarray(0, 9));
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    syncBuiltinESMExports();
    assert.equal((await concours(['brief', 'download', project, delivered])).code, 1);
    full.mock.restore();
    syncBuiltinESMExports();
    assert.deepEqual(await readdir(delivered), [], 'nothing of a file that did not fit');
    const files = done(await concours(['brief', 'download', project, delivered, '--json'])).json();
    assert.deepEqual(
      files.map(({ file }: { file: string }) => file.slice(delivered.length + 1)),
      ['Dawn at sea.png', 'manifest.jwt'],
    );
    done(await concours(['brief', 'download', project, delivered]));
    await writeFile(join(delivered, 'Dawn at sea.png'), 'mine');
    assert.equal((await concours(['brief', 'download', project, delivered])).code, 2, 'no file is replaced');
    const verified = await concours(['verify', join(delivered, 'manifest.jwt'), picture, '--json']);
    assert.equal(done(verified).json().ok, true);
    const forged = await concours(['verify', join(delivered, 'manifest.jwt'), join(delivered, 'Dawn at sea.png')]);
    assert.deepEqual([forged.code, forged.stderr], [1, 'Not genuine: a check failed.\n']);

    const [result] = done(await concours(['entries', '--results', '--json'])).json();
    assert.deepEqual([result?.id, result?.status, result?.score, result?.feedback], [id, 'won', 5, 'Good light.']);
    const { total } = done(await concours(['money', '--json'])).json();
    assert.deepEqual([total.fees_micro, total.prizes_micro], [FEE_MICRO, 950_000]);
    assert.match(done(await concours(['money'])).stdout, /^net +0\.70 USDC$/m);

    const past = ['watch', '--once', '--from', 'oldest'];
    const lines = done(await concours([...past, '--json', '--types', 'SUBMISSION.WON'])).stdout.trim();
    assert.equal((JSON.parse(lines) as { type: string }).type, 'SUBMISSION.WON');
    const shownEvents = done(await concours([...past, '--types', 'SUBMISSION.WON'])).stdout;
    assert.match(shownEvents, new RegExp(`^20.*Z  SUBMISSION\\.WON +.*submission_id=${id} amount=0\\.95`, 'm'));
    assert.match(done(await concours([...past, '--poster'])).stdout, /ENTRY\.CONFIRMED/);
  });

  it('continues an entry that was killed after its payment, without a further confirmation', async () => {
    const project = await openProject();
    const before = await balanceOf('agent');
    const dying = new AbortController();
    const killedAtUpload: Fetch = async (input, init) => {
      if (init.method === 'PUT') dying.abort();
      dying.signal.throwIfAborted();
      return await sdkFetch(input, init);
    };
    const args = ['enter', project, picture, '--title', 'Again'];
    const options = { fetch: killedAtUpload, signal: dying.signal };
    assert.equal((await concours([...args, '--max-fee', '0.25', '--yes'], options)).code, 130);
    assert.match(done(await concours(['entries', '--status', 'pending'])).stdout, /settled/);
    const settling: Fetch = async (input, init) => {
      const response = await sdkFetch(input, init);
      if (!input.includes('/submissions/')) return response;
      return new Response((await response.text()).replace('"payment":"settled"', '"payment":"settling"'), response);
    };
    const unsure = await concours(args, { fetch: settling });
    assert.deepEqual([unsure.code, /Pass --max-fee/.test(unsure.stderr)], [3, true], 'a payment that settles can fail');
    assert.equal(done(await concours([...args, '--json'])).json().status, 'submitted');
    assert.equal(await balanceOf('agent'), before - FEE_MICRO);
  });
});

describe('keys', () => {
  it('are created, listed, and revoked', async () => {
    const { id, key } = done(await concours(['keys', 'create', 'reader', '--scope', 'read', '--json'])).json();
    assert.match(done(await concours(['keys'])).stdout, /read .* reader$/m);
    const env = { CONCOURS_KEY: key };
    done(await concours(['entries'], { env }));
    const scoped = await concours(['keys', 'create', 'another', '--scope', 'read', '--json'], { env });
    assert.equal(scoped.code, 1);
    assert.equal((JSON.parse(scoped.stderr) as { error: { code: string } }).error.code, 'KEY_SCOPE');
    done(await concours(['keys', 'revoke', id]));
    assert.equal((await concours(['entries'], { env })).code, 1);
    done(await concours(['entries'], { env: { CONCOURS_KEY: '' } }));

    const keys = done(await concours(['keys', '--json'])).json();
    const own = keys.find(({ current }: { current: boolean }) => current);
    assert.equal((await concours(['keys', 'revoke', own.id])).code, 3, 'the own key needs a confirmation');
  });
});
