import { readFileSync } from 'node:fs';

/** False: plain text. Otherwise options of `tls.connect`. */
type Tls =
  | false
  | { rejectUnauthorized: boolean; ca?: string; cert?: string; key?: string; checkServerIdentity?: () => undefined };

export type DatabaseAddress = {
  /** What the driver takes. The host may be the folder of a Unix socket. */
  client: {
    host: string;
    port: number;
    user: string;
    /** A function, because the driver would look for an empty password elsewhere. */
    password: string | (() => string);
    database: string;
    ssl: Tls;
    sslnegotiation?: 'direct';
    enableChannelBinding: boolean;
    application_name: string;
  };
  /** Parameters of the server, such as `-c search_path=market`. */
  options: string;
  /** Parameters that other clients need and this service does not. */
  ignored: string[];
};

/** Names of libpq with a meaning here. */
const KNOWN = new Set(
  (
    'host port user password dbname application_name options channel_binding sslmode ssl sslrootcert sslcert sslkey ' +
    'sslnegotiation'
  ).split(' '),
);

/** Hints for other clients, and names of libpq for what the service does anyway. */
const IGNORED = new Set(
  (
    'target_session_attrs connect_timeout client_encoding fallback_application_name tcp_user_timeout keepalives ' +
    'keepalives_idle keepalives_interval keepalives_count load_balance_hosts sslsni gssencmode krbsrvname pgbouncer ' +
    'connection_limit pool_timeout pool_size socket_timeout prepared_statements statement_cache_size sslaccept ' +
    'uselibpqcompat supa workaround serverVersion charset encoding schema'
  ).split(' '),
);

const FORM = 'a URL such as postgres://user:password@host:5432/name';

/**
 * Reads a connection URL, as PostgreSQL's own programs take it.
 *
 * @throws Error that says in one sentence what is wrong; it contains no secret
 */
export function parseDatabaseUrl(value: string): DatabaseAddress {
  if (/^postgres(?:ql)?:\/\/(?:[^@/]*@)?[^/?]*,/.test(value))
    throw new Error('names several hosts; name one, such as a proxy that leads to the primary');
  // libpq takes a user without a host, beside `?host=/folder`; URL.parse does not.
  const url = URL.parse(value.replace(/^(postgres(?:ql)?:\/\/[^/?]*@)(?=[/?]|$)/, '$1localhost'));
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) throw new Error(FORM);
  const query = new Map(url.searchParams);
  const unknown = [...query.keys()].filter((name) => !KNOWN.has(name) && !IGNORED.has(name));
  if (unknown.length > 0) throw new Error(`has the unknown parameter ${unknown.join(', ')}`);
  return {
    client: {
      ...placeOf(url, query),
      ssl: tlsOf(query),
      ...(query.get('sslnegotiation') === 'direct' ? { sslnegotiation: 'direct' as const } : {}),
      enableChannelBinding: query.get('channel_binding') === 'require',
      application_name: query.get('application_name') ?? 'concours',
    },
    options: query.get('options') ?? '',
    ignored: [...query.keys()].filter((name) => IGNORED.has(name)),
  };
}

function placeOf(url: URL, query: Map<string, string>) {
  const part = (name: string, text: string) => query.get(name) ?? decodeURIComponent(text);
  const host = part('host', url.hostname).replace(/^\[|\]$/g, '');
  const user = part('user', url.username);
  if (host === '' || user === '' || host.includes(',')) throw new Error(FORM);
  return {
    host,
    port: Number(part('port', url.port || '5432')),
    user,
    password: part('password', url.password) || (() => ''),
    database: part('dbname', url.pathname.slice(1)) || user,
  };
}

/** As libpq: `require` alone checks no certificate; with a root certificate, it is `verify-ca`. */
function tlsOf(query: Map<string, string>): Tls {
  const root = query.get('sslrootcert');
  const given = query.get('sslmode') ?? { true: 'require', false: 'disable' }[query.get('ssl') ?? 'false'] ?? 'unknown';
  const asked = given === 'require' && root ? 'verify-ca' : given;
  const mode = root === 'system' ? 'verify-full' : asked;
  if (mode === 'disable') return false;
  if (!['require', 'verify-ca', 'verify-full'].includes(mode))
    throw new Error('needs sslmode=verify-full, verify-ca, require, or disable; there is no fallback to plain text');
  const files = { ca: root === 'system' ? undefined : root, cert: query.get('sslcert'), key: query.get('sslkey') };
  return {
    rejectUnauthorized: mode !== 'require',
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
    ...Object.fromEntries(
      Object.entries(files).flatMap(([name, path]) => (path ? [[name, readFileSync(path, 'utf8')]] : [])),
    ),
  };
}
