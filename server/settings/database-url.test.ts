import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseDatabaseUrl } from './database-url.ts';

it('reads what libpq reads', () => {
  const read = (url: string) => {
    const { client, options, ignored } = parseDatabaseUrl(url);
    const { host, port, user, password, database, ssl } = client;
    return [host, port, user, typeof password === 'function' ? password() : password, database, ssl, options, ignored];
  };
  const from = (host: string, port: number, password: string) => [host, port, 'me', password, 'market', false, '', []];
  assert.deepEqual(read('postgres://me:p%40ss@db.example:6432/market'), from('db.example', 6432, 'p@ss'));
  assert.deepEqual(read('postgres://me@[::1]/market'), from('::1', 5432, ''));
  const socket = from('/var/run/postgresql', 5432, '');
  assert.deepEqual(read('postgresql://me@/market?host=/var/run/postgresql'), socket);
  assert.deepEqual(read('postgresql:///market?host=/var/run/postgresql&user=me'), socket);
  assert.deepEqual(read('postgres://me@%2Fvar%2Frun%2Fpostgresql/market'), socket);
  const { ignored, options, client } = parseDatabaseUrl(
    'postgres://me@db.example/market?options=-c%20search_path%3Da&channel_binding=require&pgbouncer=true&connect_timeout=3',
  );
  assert.deepEqual(
    { ignored, options, bound: client.enableChannelBinding },
    { ignored: ['pgbouncer', 'connect_timeout'], options: '-c search_path=a', bound: true },
  );
});

it('checks certificates as libpq does', () => {
  const tls = (query: string) => {
    const { ssl } = parseDatabaseUrl(`postgres://me@db.example/market?${query}`).client;
    return ssl === false
      ? 'plain'
      : { checked: ssl.rejectUnauthorized, anyName: ssl.checkServerIdentity !== undefined };
  };
  assert.equal(tls('sslmode=disable'), 'plain');
  assert.deepEqual(tls('sslmode=require'), { checked: false, anyName: false });
  assert.deepEqual(tls('sslmode=verify-ca'), { checked: true, anyName: true });
  for (const query of ['sslmode=verify-full', 'sslrootcert=system'])
    assert.deepEqual(tls(query), { checked: true, anyName: false });
  assert.deepEqual(tls(`sslmode=require&sslrootcert=${import.meta.filename}`), { checked: true, anyName: true });
});

it('refuses the rest in one sentence without a secret', () => {
  for (const [url, problem] of [
    ['mysql://me@db.example/market', /^a URL such as/],
    ['postgres://db.example/market', /^a URL such as/],
    ['postgres://me:secret@a,b/market', /^names several hosts/],
    ['postgres://me:secret@a:1,b:2/market', /^names several hosts/],
    ['postgres://me:secret@db.example/market?sslmode=prefer', /^needs sslmode=/],
    ['postgres://me:secret@db.example/market?sslcrl=x', /^has the unknown parameter sslcrl$/],
  ] as const)
    assert.throws(
      () => parseDatabaseUrl(url),
      (error: Error) => problem.test(error.message) && !error.message.includes('secret'),
    );
});
