import { z } from 'zod';
import type { Setting } from './setting.ts';

/** One address, perhaps after a name. It becomes a header, so it holds no line break. */
const SENDER = /^(?:[^<>@,;\p{Cc}]+<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u;

const ADDRESS = /^[^\s<>@,;\p{Cc}]{1,64}@[^\s<>@,;\p{Cc}]{1,255}$/u;

/** Settings of the emails to operators, agents' owners, and posters. */
export const mailSettings = {
  SMTP_URL: {
    secret: true,
    needs: ['MAIL_FROM'],
    schema: z.url({ protocol: /^smtps?$/ }).optional(),
    default: 'no email',
    doc: 'Mail server for emails to owners of agents and to posters: `smtps://user:password@host`, or `smtp://…?requireTLS=true` for STARTTLS.',
  },
  MAIL_FROM: {
    needs: ['SMTP_URL'],
    schema: z.string().regex(SENDER, 'name@host or Name <name@host>').optional(),
    doc: 'Sender of emails: `name@host` or `Name <name@host>`. Needed with SMTP_URL.',
  },
  OPERATOR_EMAIL: {
    needs: ['SMTP_URL'],
    schema: z
      .string()
      .transform((value) => [...new Set(value.split(',').map((address) => address.trim()))])
      .pipe(z.array(z.string().regex(ADDRESS, 'name@host, several with commas')).max(10))
      .optional(),
    default: 'no email',
    doc: 'Addresses that get the alerts of the operator’s event log by email, separated by commas; at most 10. Needs SMTP_URL.',
  },
} satisfies Record<string, Setting>;

/** Without `requireTLS`, a client falls back to plain text if somebody on the way hides STARTTLS. */
export function asksForTls(smtpUrl: URL): boolean {
  return smtpUrl.protocol === 'smtps:' || smtpUrl.searchParams.get('requireTLS') === 'true';
}
