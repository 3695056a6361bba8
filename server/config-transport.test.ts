import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseEnv } from 'node:util';
import { productionEnvironment } from './command/keys.ts';
import { ConfigError, readConfig, requireTrustedHosts } from './config.ts';

describe('the transport to the database and to Redis in production', () => {
  const problemsWith = (env: Record<string, string>) => {
    const name = Object.keys(env)[0]!;
    try {
      readConfig({ NODE_ENV: 'production', ...env });
      return [];
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.problems.filter((problem) => problem.startsWith(`${name}: doubtful`));
    }
  };

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
