import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { randomBytes } from 'node:crypto';
import { parseEnv } from 'node:util';
import { ConfigError, readConfig, readDatabaseUrl, requireTrustedHosts } from './config.ts';
import { settings } from './settings/settings.ts';
import { productionEnvironment } from './command/keys.ts';

/** The problems of these settings that name one with this prefix. */
function problemsOf(prefix: string, env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.filter((problem) => problem.startsWith(prefix));
  }
}

describe('the settings of a model', () => {
  it('refuses an incomplete set by name, also in development', () => {
    for (const [env, problem] of [
      [{ AI_URL: 'https://models.example/v1', AI_KEY: 'sk-1' }, 'AI_MODEL: missing beside AI_URL'],
      [{ AI_MODEL: 'judge-1' }, 'AI_URL: missing beside AI_MODEL'],
      [{ AI_KEY: 'sk-1' }, 'AI_URL: missing beside AI_KEY'],
    ] as const)
      assert.deepEqual(problemsOf('AI_', env), [problem]);
  });

  it('refuses an address that would drop or expose the key', () => {
    const odd: Record<string, RegExp> = {
      'https://me:secret@models.example/v1': /^AI_URL: holds a user or a password/,
      'https://models.example/v1?version=2': /^AI_URL: must end with its path/,
      'ftp://models.example/v1': /^AI_URL: /,
      'models.example': /^AI_URL: /,
    };
    for (const [address, problem] of Object.entries(odd)) {
      const problems = problemsOf('AI_', { AI_URL: address, AI_MODEL: 'judge-1' });
      assert.match(problems[0] ?? '', problem, address);
      assert.doesNotMatch(problems.join(), /secret/);
    }
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'concours-secrets-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secret');
  const problems = (env: Record<string, string>) => problemsOf('', env);

  it('counts as the setting, without its line end', () => {
    const secret = 'an-operator-key-of-enough-characters';
    writeFileSync(file, `${secret}\n`);
    assert.equal(readConfig({ OPERATOR_KEY_FILE: file }).operatorKey, secret);
    assert.equal(readConfig({ OPERATOR_KEY_FILE: '', OPERATOR_KEY: secret }).operatorKey, secret);
  });

  it('is refused beside the setting, and when it is missing, empty, or malformed; no message shows it', () => {
    writeFileSync(file, 'short');
    assert.deepEqual(problems({ OPERATOR_KEY_FILE: file, OPERATOR_KEY: 'an-operator-key-of-enough-characters' }), [
      'OPERATOR_KEY_FILE: set beside OPERATOR_KEY; set one of them',
    ]);
    assert.deepEqual(problems({ SECRETS_KEY_FILE: join(folder, 'none') }), [
      'SECRETS_KEY_FILE: the file cannot be read (ENOENT)',
    ]);
    const [malformed = ''] = problems({ TREASURY_KEY_FILE: file });
    assert.match(malformed, /^TREASURY_KEY: a private key/);
    assert.doesNotMatch(malformed, /short/);
    writeFileSync(file, '\n');
    assert.deepEqual(problems({ REDIS_URL_FILE: file }), ['REDIS_URL_FILE: the file is empty']);
  });
});

describe('the address for clients', () => {
  it('has no path', () => {
    for (const given of ['https://market.example', 'https://market.example/', 'http://127.0.0.1:4020'])
      assert.equal(readConfig({ PUBLIC_URL: given }).publicUrl, given.replace(/\/$/, ''));
    for (const given of ['https://market.example/concours', 'https://market.example?a=b', 'https://me@market.example'])
      assert.throws(
        () => readConfig({ PUBLIC_URL: given }),
        ({ problems }: ConfigError) => problems.length === 1 && /^PUBLIC_URL: .*without a path/.test(problems[0]!),
        given,
      );
  });
});

describe('the arguments', () => {
  it('choose the role of a process; without one it does everything', () => {
    for (const role of ['all', 'api', 'worker'] as const) assert.equal(readConfig({}, [`--role=${role}`]).role, role);
    assert.equal(readConfig({}).role, 'all');
  });

  it('are refused when unknown, together with the problems of the settings', () => {
    for (const args of [['--role=both'], ['--role'], ['worker'], ['--role=api', '--role=worker']])
      assert.throws(
        () => readConfig({ PORT: 'x' }, args),
        (error: ConfigError) =>
          error.problems.some((problem) => problem.includes(args.join(' '))) && error.problems.length === 2,
      );
  });
});

describe('the keys of the facilitator', () => {
  const [one, two] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`];
  const problems = (env: Record<string, string>) => problemsOf('FACILITATOR_', env);

  it('are one or several', () => {
    assert.deepEqual(readConfig({}).facilitatorKeys, []);
    assert.deepEqual(readConfig({ FACILITATOR_KEY: one }).facilitatorKeys, [one]);
    assert.deepEqual(readConfig({ FACILITATOR_KEYS: `${one}, ${two}` }).facilitatorKeys, [one, two]);
  });

  it('are refused beside a single key, twice, or malformed, and no problem repeats a key', () => {
    const refused = [
      { FACILITATOR_KEY: one, FACILITATOR_KEYS: two },
      { FACILITATOR_KEYS: `${one},${one}` },
      { FACILITATOR_KEYS: `${one},${two.slice(1)}` },
      { FACILITATOR_KEYS: ',' },
    ];
    for (const env of refused) {
      assert.equal(problems(env).length, 1, JSON.stringify(env));
      assert.doesNotMatch(problems(env).join(), /1111|2222/);
    }
  });

  it('of others are whole, single, and beside their address', () => {
    const remote = { FACILITATOR_URL: 'https://x.example' };
    assert.deepEqual(readConfig({ ...remote, FACILITATOR_AUTH: 't' }).facilitatorAuth, { token: 't' });
    const pair = { FACILITATOR_CDP_KEY_ID: 'id', FACILITATOR_CDP_KEY_SECRET: 's' };
    assert.deepEqual(readConfig({ ...remote, ...pair }).facilitatorAuth, { keyId: 'id', keySecret: 's' });
    for (const env of [
      { FACILITATOR_AUTH: 't' },
      pair,
      { ...remote, ...pair, FACILITATOR_AUTH: 't' },
      { ...remote, FACILITATOR_CDP_KEY_ID: 'id' },
      { ...remote, FACILITATOR_CDP_KEY_SECRET: 's' },
    ])
      assert.equal(problems(env).length, 1, JSON.stringify(env));
  });

  it('are none of the treasury, and not beside a remote facilitator, in production', () => {
    const production = { NODE_ENV: 'production', FACILITATOR_KEYS: `${one},${two}` };
    assert.deepEqual(problems(production), []);
    assert.match(problems({ ...production, TREASURY_KEY: two })[0] ?? '', /same key as TREASURY_KEY/);
    assert.match(problems({ ...production, FACILITATOR_URL: 'https://x.example' })[0] ?? '', /beside FACILITATOR_URL/);
    assert.match(problems({ NODE_ENV: 'production' })[0] ?? '', /required in production/);
  });
});

const FILLED = {
  PUBLIC_URL: 'https://market.example',
  DATABASE_URL: 'postgres://concours@db/concours?sslmode=verify-full',
  S3_ENDPOINT: 'https://s3.example',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  RPC_URL: 'https://rpc.example',
};

describe('a remote signer of the treasury', () => {
  it('is reached by TLS or on this machine, needs the address, and no key beside it', () => {
    const problems = (env: Record<string, string>) => problemsOf('TREASURY_', { NODE_ENV: 'production', ...env });
    const signer = {
      TREASURY_SIGNER_URL: 'https://user:secret@signer.example/',
      TREASURY_ADDRESS: `0x${'ab'.repeat(20)}`,
    };
    assert.deepEqual(problems(signer), []);
    assert.deepEqual(problems({ ...signer, TREASURY_SIGNER_URL: 'http://127.0.0.1:9000' }), []);
    assert.deepEqual(problems({ ...signer, TREASURY_SIGNER_URL: 'http://user:secret@signer.example' }), [
      'TREASURY_SIGNER_URL: doubtful, http to another machine; use https, or name signer.example in TRUSTED_NETWORKS',
    ]);
    assert.match(problems({ ...signer, TREASURY_ADDRESS: '' })[0] ?? '', /TREASURY_ADDRESS: missing beside/);
    const key = `0x${'11'.repeat(32)}`;
    assert.match(problems({ ...signer, TREASURY_KEY: key })[0] ?? '', /TREASURY_KEY: set beside/);
  });
});

describe('the environment of `concours-server keys`', () => {
  const env = parseEnv(productionEnvironment(randomBytes));

  it('starts in production once its empty lines are filled, and names no unknown setting', () => {
    assert.deepEqual(
      Object.keys(env).filter((name) => !(name in settings)),
      [],
    );
    assert.deepEqual(
      Object.keys(env)
        .filter((name) => env[name] === '')
        .toSorted(),
      [...Object.keys(FILLED), 'TRUSTED_PROXIES'].toSorted(),
    );
    const config = readConfig({ ...env, ...FILLED });
    assert.deepEqual([config.development, config.treasuryKey], [false, env['TREASURY_KEY']]);
  });
});

describe('the settings of a command', () => {
  it('are read without the others, and its mode refuses another NODE_ENV', () => {
    const given = { NODE_ENV: 'production', DATABASE_URL: FILLED.DATABASE_URL };
    assert.equal(readDatabaseUrl(given), FILLED.DATABASE_URL);
    assert.throws(() => readDatabaseUrl({ DATABASE_URL: 'no', PORT: 'no' }), /:\n {2}- DATABASE_URL: [^\n]*$/);
    assert.throws(
      () => readConfig(given, [], 'development'),
      /NODE_ENV: production, but this command is a development/,
    );
    assert.throws(() => readConfig({ NODE_ENV: 'development' }, [], 'production'), /NODE_ENV: development, but/);
    assert.equal(readConfig({}, [], 'development').development, true);
  });
});

describe('the transport to the database and to Redis in production', () => {
  const problemsWith = (env: Record<string, string>) =>
    problemsOf(`${Object.keys(env)[0]}: doubtful`, { NODE_ENV: 'production', ...env });

  it('is TLS, or stays on this machine', () => {
    const good = [
      { DATABASE_URL: 'postgres://me:secret@db.example/concours?sslmode=verify-full' },
      { DATABASE_URL: 'postgres://me:secret@db.example/concours?sslrootcert=system' },
      { DATABASE_URL: 'postgres://me:secret@127.0.0.1/concours' },
      { DATABASE_URL: 'postgres://me:secret@db.example/concours?sslmode=require&channel_binding=require' },
      { DATABASE_URL: 'postgres://me:secret@%2Fvar%2Frun%2Fpostgresql/concours' },
      { DATABASE_URL: 'postgres://me:secret@/concours?host=/var/run/postgresql' },
      { REDIS_URL: 'rediss://me:secret@redis.example/2' },
      { REDIS_URL: 'redis://127.0.0.1:6379' },
    ];
    for (const env of good) assert.deepEqual(problemsWith(env), [], JSON.stringify(env));
  });

  it('is doubtful otherwise, and the message has no secret', () => {
    const databases = ['', '?sslmode=disable', '?ssl=false'];
    const hosts = ['db.example', '10.0.0.5', '127.0.0.1.example'];
    for (const host of hosts)
      for (const query of databases)
        assert.deepEqual(problemsWith({ DATABASE_URL: `postgres://me:secret@${host}/concours${query}` }), [
          `DATABASE_URL: doubtful, no TLS to another machine; add ?sslmode=verify-full, or name ${host} in TRUSTED_NETWORKS`,
        ]);
    for (const [redis, host] of [
      ['redis://10.0.0.5:6379', '10.0.0.5'],
      ['redis://me:secret@redis.example/2', 'redis.example'],
    ] as const)
      assert.deepEqual(problemsWith({ REDIS_URL: redis }), [
        `REDIS_URL: doubtful, no TLS to another machine; use rediss://, or name ${host} in TRUSTED_NETWORKS`,
      ]);
    const mail = (server: string) => problemsWith({ SMTP_URL: server, MAIL_FROM: 'Market <market@example.com>' });
    for (const doubtful of ['smtp://mail.example', 'smtp://me:secret@mail.example:587?requireTLS=false'])
      assert.deepEqual(mail(doubtful), [
        'SMTP_URL: doubtful, no TLS to another machine; use smtps:// or add ?requireTLS=true, or name mail.example in TRUSTED_NETWORKS',
      ]);
    for (const fine of ['smtps://me:secret@mail.example', 'smtp://mail.example?requireTLS=true', 'smtp://127.0.0.1:25'])
      assert.deepEqual(mail(fine), []);
  });

  it('is plain text to the hosts and networks that the operator trusts', async () => {
    const plain = {
      DATABASE_URL: 'postgres://c:c@db/c',
      REDIS_URL: 'redis://[fd00::7]:6379',
      S3_ENDPOINT: 'http://minio:9000',
      RPC_URL: 'http://10.0.0.5:8545',
      SMTP_URL: 'smtp://mail',
    };
    const problems = (TRUSTED_NETWORKS: string) =>
      Object.entries(plain).flatMap(([key, value]) => problemsWith({ [key]: value, TRUSTED_NETWORKS }));
    assert.equal(problems('').length, 5);
    assert.deepEqual(problems('db, minio,mail,10.0.0.0/8,fd00::/8'), []);
    // An address decides by itself. A name without an entry is looked up.
    assert.match(
      problems('db,minio,mail,10.0.0.6,fd00::/8').join(),
      /^RPC_URL: [^,]*, http [^,]*, or name 10\.0\.0\.5 in/,
    );
    const given = { PUBLIC_URL: 'https://market.example', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    const whole = { ...parseEnv(productionEnvironment(randomBytes)), ...given, MAIL_FROM: 'a@b.example', ...plain };
    const config = readConfig({ ...whole, TRUSTED_NETWORKS: '10.0.0.0/8,fd00::/8,db,mail' });
    assert.deepEqual(
      config.undecidedHosts.map(({ host }) => host),
      ['minio'],
    );
    await assert.rejects(requireTrustedHosts(config), /S3_ENDPOINT: .* name minio in TRUSTED_NETWORKS/);
    const decided = [{ host: 'localhost', problem: 'none' }];
    await requireTrustedHosts({ ...config, trustedNetworks: ['127.0.0.0/8', '::1'], undecidedHosts: decided });
  });

  it('may be a Unix socket of Redis', () => {
    for (const [given, path] of [
      ['/run/redis/redis.sock?db=1', '/run/redis/redis.sock?db=1'],
      ['unix:///run/redis.sock', '/run/redis.sock'],
    ] as const) {
      assert.deepEqual(problemsWith({ REDIS_URL: given }), []);
      assert.equal(readConfig({ REDIS_URL: given }).redisUrl, path);
    }
    assert.throws(() => readConfig({ REDIS_URL: 'http://redis' }), /REDIS_URL: /);
  });
});
