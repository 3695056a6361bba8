import { z } from 'zod';
import { parseCidr } from '../addresses.ts';

/** One environment variable. docs/settings.md is generated from this table. */
export type Setting = {
  schema: z.ZodType;
  /** The default as docs/settings.md shows it; absent for a setting without one. */
  default?: string;
  /** `required` must be set when NODE_ENV=production. */
  production?: 'required';
  /** Can also be given as a file, whose path is in `NAME_FILE`. */
  secret?: true;
  /** Settings that are missing beside this one. */
  needs?: readonly string[];
  /** A setting in whose place this one stands. */
  insteadOf?: string;
  doc: string;
};

export const text = z.string().trim().min(1);
export const number = z.coerce.number('a number');
export const count = number.int().min(1).max(1_000_000_000);
export const seconds = number.int().min(0).max(31_536_000);
export const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'a private key: 0x and 64 hex digits');
/** Comma-separated parts. */
export const partsOf = (isPart: (part: string) => boolean, problem: string) =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(z.string().refine(isPart, problem)));
export const networks = partsOf((part) => parseCidr(part) !== null, 'comma-separated CIDRs');
export const pageUrl = z.url({ protocol: /^https?$/ });
export const serviceUrl = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
/** The address of a host alone, for paths of our own. */
export const originUrl = serviceUrl.refine(
  (value) => /^https?:\/\/[^/?#@]+$/i.test(value),
  'an address without a path, such as https://market.example',
);
