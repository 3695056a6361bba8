import { isIP } from 'node:net';
import type { z } from 'zod';
import { isLoopback } from '../addresses.ts';
import { type DatabaseAddress, parseDatabaseUrl } from './database-url.ts';
import { asksForTls } from './mail-settings.ts';
import type { settings } from './settings.ts';

type Values = { [Key in keyof typeof settings]: z.output<(typeof settings)[Key]['schema']> };

/** Returns the addresses of other machines that production would reach without TLS. */
export function transportProblems(values: Values): string[] {
  const problems: string[] = [];
  if (values.PUBLIC_URL && !values.PUBLIC_URL.startsWith('https://')) problems.push('PUBLIC_URL: doubtful, not https');
  for (const key of [
    'S3_ENDPOINT',
    'RPC_URL',
    'FACILITATOR_URL',
    'TREASURY_SIGNER_URL',
    'AI_URL',
    'OIDC_ISSUER',
  ] as const) {
    if (values[key] && !isPrivateTransport(values[key]))
      problems.push(`${key}: doubtful, http to another machine; use https`);
  }
  const { REDIS_URL: redis } = values;
  problems.push(...databaseProblems(values));
  if (redis && !isPrivateTransport(redis))
    problems.push('REDIS_URL: doubtful, no TLS to another machine; use rediss://');
  return problems;
}

function databaseProblems({ DATABASE_URL, DATABASE_READ_URL }: Values): string[] {
  return Object.entries({ DATABASE_URL, DATABASE_READ_URL })
    .filter(([, value]) => value !== undefined && !isPrivateDatabase(parseDatabaseUrl(value)))
    .map(([key]) => `${key}: doubtful, no TLS to another machine; add ?sslmode=verify-full`);
}

/** Returns the same for the mail server. */
export function mailTransportProblems({ SMTP_URL: mail }: Values): string[] {
  if (!mail || asksForTls(new URL(mail)) || isThisMachine(new URL(mail))) return [];
  return ['SMTP_URL: doubtful, no TLS to another machine; use smtps:// or add ?requireTLS=true'];
}

/** A path is a local socket. */
const isPrivateDatabase = ({ client: { ssl, host } }: DatabaseAddress): boolean =>
  ssl !== false || host.startsWith('/') || isThisMachine({ hostname: host });

function isPrivateTransport(value: string): boolean {
  const url = new URL(value);
  return ['https:', 'rediss:'].includes(url.protocol) || isThisMachine(url);
}

function isThisMachine({ hostname }: Pick<URL, 'hostname'>): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));
}
