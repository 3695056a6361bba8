import { isIP } from 'node:net';
import type { z } from 'zod';
import { createNetworkCheck, isLoopback, parseCidr } from '../addresses.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { asksForTls } from './mail-settings.ts';
import type { settings } from './settings.ts';

type Values = { [Key in keyof typeof settings]: z.output<(typeof settings)[Key]['schema']> };

/** A host that a production start would reach without TLS, and what to say about it. */
export type PlainHost = { host: string; problem: string };

/** Returns the addresses that production would reach without TLS, on other machines that the operator did not name. */
export function transportProblems(values: Values): string[] {
  const problems = plainHosts(values)
    .filter(({ host }) => !mayLeadToTrusted(values, host))
    .map(({ problem }) => problem);
  if (values.PUBLIC_URL && !values.PUBLIC_URL.startsWith('https://'))
    problems.unshift('PUBLIC_URL: doubtful, not https');
  return problems;
}

/** Returns the hosts without TLS whose addresses decide, because TRUSTED_NETWORKS has networks and not their names. */
export function undecidedHosts(values: Values): PlainHost[] {
  return plainHosts(values).filter(({ host }) => isIP(host) === 0 && mayLeadToTrusted(values, host));
}

/** Hosts of other machines that are reached without TLS and not trusted by their names. */
function plainHosts(values: Values): PlainHost[] {
  const found: PlainHost[] = [];
  const add = (key: string, given: string, problem: string) => {
    const host = given.toLowerCase();
    if (host === 'localhost' || (isIP(host) !== 0 && isLoopback(host)) || values.TRUSTED_NETWORKS.includes(host))
      return;
    found.push({ host, problem: `${key}: doubtful, ${problem}, or name ${host} in TRUSTED_NETWORKS` });
  };
  for (const key of HTTP) {
    const url = values[key] ? new URL(values[key]) : null;
    if (url?.protocol === 'http:') add(key, hostOf(url), 'http to another machine; use https');
  }
  for (const key of ['DATABASE_URL', 'DATABASE_READ_URL'] as const) {
    const { ssl, host } = values[key] ? parseDatabaseUrl(values[key]).client : NO_DATABASE;
    // A path is the folder of a Unix socket.
    if (ssl === false && !host.startsWith('/')) add(key, host, 'no TLS to another machine; add ?sslmode=verify-full');
  }
  const { REDIS_URL: redis, SMTP_URL: mail } = values;
  if (redis?.startsWith('redis:')) add('REDIS_URL', hostOf(new URL(redis)), 'no TLS to another machine; use rediss://');
  if (mail && !asksForTls(new URL(mail)))
    add('SMTP_URL', hostOf(new URL(mail)), 'no TLS to another machine; use smtps:// or add ?requireTLS=true');
  return found;
}

const HTTP = [
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'RPC_URL',
  'FACILITATOR_URL',
  'TREASURY_SIGNER_URL',
  'AI_URL',
  'OIDC_ISSUER',
] as const;
const NO_DATABASE = { ssl: true, host: '' };

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** An address must lie in one of the networks. The addresses of a name are known at the start. */
function mayLeadToTrusted({ TRUSTED_NETWORKS }: Values, host: string): boolean {
  const networks = TRUSTED_NETWORKS.filter((entry) => parseCidr(entry) !== null);
  return isIP(host) === 0 ? networks.length > 0 : createNetworkCheck(networks)(host);
}
