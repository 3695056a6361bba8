import { z } from 'zod';
import { number, text, type Setting } from './setting.ts';

/** A port of its own is part of the address: no default is safe to guess. */
const signerAddress = z
  .string()
  .regex(
    /^(?:unix:\/[^\0]{1,100}|https:\/\/[^/:?#@]+:\d{1,5}|https:\/\/\[[0-9a-fA-F:]+\]:\d{1,5})$/,
    'unix:/path or https://host:port',
  );
const pem = z.string().regex(/-----BEGIN [A-Z ]+-----/, 'a text in PEM');

/** Settings of the process that alone holds the treasury's key, and of the way to it. */
export const signerSettings = {
  SIGNER_URL: {
    schema: signerAddress.optional(),
    default: 'the process signs with TREASURY_KEY',
    doc: 'Where the signer listens that holds the treasury’s key: `unix:/path` or `https://host:port`. The process then has TREASURY_ADDRESS and not TREASURY_KEY.',
  },
  SIGNER_LISTEN: {
    schema: signerAddress.optional(),
    doc: '`concours-server signer` only: where it listens. Its socket gets the mode 0660. A port takes only clients with a certificate of SIGNER_CA.',
  },
  SIGNER_CA: {
    secret: true,
    schema: pem.optional(),
    doc: 'PEM of the authority of both certificates, for a signer at `https://`. A process and its signer each need SIGNER_CA, SIGNER_CERT, and SIGNER_KEY.',
  },
  SIGNER_CERT: { secret: true, schema: pem.optional(), doc: 'PEM of the own certificate, for a signer at `https://`.' },
  SIGNER_KEY: { secret: true, schema: pem.optional(), doc: 'PEM of the key of SIGNER_CERT. It signs no transfer.' },
  SIGNER_STATE: {
    schema: text.optional(),
    doc: '`concours-server signer` only: the file in which it counts what it has signed. It belongs to one signer, and is not in the database.',
  },
  SIGNER_CAP_USDC: {
    schema: number.min(0.01).max(1_000_000_000).default(20_000),
    default: '20000',
    doc: '`concours-server signer` only: the largest transfer in USDC that it signs. No operator and no row of the database can release more.',
  },
  SIGNER_DAILY_CAP_USDC: {
    schema: number.min(0.01).max(1_000_000_000).default(200_000),
    default: '200000',
    doc: '`concours-server signer` only: the most in USDC that it signs on a UTC day for payouts, and the same again for refunds and returns.',
  },
  SIGNER_WITHDRAWAL_ADDRESSES: {
    schema: z
      .string()
      .default('')
      .transform((value) =>
        value
          .split(',')
          .map((part) => part.trim().toLowerCase())
          .filter(Boolean),
      )
      .pipe(z.array(z.string().regex(/^0x[0-9a-f]{40}$/, 'comma-separated addresses'))),
    default: 'none',
    doc: '`concours-server signer` only: comma-separated addresses that withdrawals can go to. They must also be listed in the service.',
  },
} satisfies Record<string, Setting>;

type Values = { [Key in keyof typeof signerSettings]: z.output<(typeof signerSettings)[Key]['schema']> };

/** The process that signs; null: this one does. */
export function signerOf({ SIGNER_URL: url, SIGNER_CA: ca, SIGNER_CERT: cert, SIGNER_KEY: key }: Values) {
  return url === undefined ? null : { url, certificates: ca && cert && key ? { ca, cert, key } : null };
}

/** A process that had the key as well would make its signer worthless. */
export function signerProblems(
  values: Values & { TREASURY_KEY?: string | undefined; TREASURY_ADDRESS?: string | undefined },
): string[] {
  const signer = signerOf(values);
  if (signer === null) return [];
  return [
    ...(values.TREASURY_KEY ? ['TREASURY_KEY: set beside SIGNER_URL; only the signer has the key'] : []),
    ...(values.TREASURY_ADDRESS ? [] : ['TREASURY_ADDRESS: missing beside SIGNER_URL']),
    ...(signer.url.startsWith('https:') && !signer.certificates
      ? ['SIGNER_URL: https:// needs SIGNER_CA, SIGNER_CERT, and SIGNER_KEY']
      : []),
  ];
}
