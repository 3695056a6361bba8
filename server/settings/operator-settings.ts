import { z } from 'zod';
import { privateKey, serviceUrl, type Setting } from './setting.ts';

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
  .transform((value) => value.toLowerCase());

/** Settings about operators and the treasury's key. */
export const operatorSettings = {
  TREASURY_KEY: {
    secret: true,
    insteadOf: 'TREASURY_SIGNER_URL',
    schema: privateKey.optional(),
    default: 'generated',
    production: 'required',
    doc: 'Key of the treasury, which receives fees and prizes. Its address holds USDC and no gas, and belongs to one deployment only, because the ledger is compared with its balance. A process with `--role=api`, or with TREASURY_SIGNER_URL, takes TREASURY_ADDRESS instead.',
  },
  TREASURY_ADDRESS: {
    // No secret, but `concours-server keys` writes it into a file beside those of the keys.
    secret: true,
    schema: address.optional(),
    default: 'the address of TREASURY_KEY',
    doc: 'Address of the treasury. A process with `--role=api`, or with TREASURY_SIGNER_URL, needs this and not the key. Beside TREASURY_KEY, it must be the address of that key.',
  },
  TREASURY_SIGNER_URL: {
    secret: true,
    needs: ['TREASURY_ADDRESS'],
    schema: serviceUrl.optional(),
    default: 'the process signs with TREASURY_KEY',
    doc: 'JSON-RPC address of a remote signer that holds the treasury’s key, such as Web3Signer or a wallet service. It signs typed data (`eth_signTypedData_v4`, or `eth_signTypedData`). `https://user:password@host` logs in by Basic authentication, `https://token@host` by a bearer token. Needs TREASURY_ADDRESS.',
  },
  OPERATOR_KEY: {
    secret: true,
    schema: z.string().min(32, 'at least 32 characters').optional(),
    default: 'generated',
    production: 'required',
    doc: 'Bearer key of `/operator/*`, with every right.',
  },
  REVENUE_ADDRESS: {
    schema: address.optional(),
    doc: 'The only address that withdrawals of earned fees go to. Without it, nothing can be withdrawn.',
  },
} satisfies Record<string, Setting>;
