import { z } from 'zod';
import { usdcAmount } from './basics/money.ts';
import { operationsOf } from './basics/operation.ts';
import { timestamp, walletAddress } from './basics/text.ts';

const link = z.string().nullable();
const checksummed = z.string().meta({ description: 'Checksummed (EIP-55), as in the 402' });

const asVisitor = { tag: 'Network', auth: 'public' } as const;

/** The chain that payments use, and the test faucet. */
export const networkOperations = operationsOf({
  getNetwork: {
    ...asVisitor,
    method: 'get',
    path: '/network',
    summary:
      'Read which chain, token and treasury payments use, whether payments are taken, and where the legal texts are',
    output: z.object({
      network: z.string().meta({ description: 'CAIP-2, e.g. eip155:84532' }),
      chain_id: z.int(),
      usdc: z.object({ address: checksummed, name: z.string(), version: z.string(), decimals: z.int() }),
      pay_to: checksummed,
      accepting_payments: z.boolean().meta({
        description: 'False while the treasury holds less than the service owes: then no fee and no prize is taken',
      }),
      held_micro: z.int().nullable().meta({ description: 'USDC of the treasury on chain at `checked_block`' }),
      owed_micro: z.int().nullable().meta({
        description: 'What it must hold there, by the books and the payments in flight. Null before the first check',
      }),
      checked_block: z.int().nullable(),
      checked_at: timestamp.nullable(),
      facilitator: z.string().meta({ description: 'URL, or `in-process`' }),
      licences_url: z.string().meta({ description: 'Where the texts of the licenses are' }),
      terms_url: link.meta({ description: 'Page with the terms of service' }),
      terms_version: z.string().nullable().meta({ description: 'Version of the terms; registrations record it' }),
      privacy_url: link.meta({ description: 'Page about privacy' }),
      imprint_url: link.meta({ description: 'Page about the operator' }),
      contact_url: link.meta({ description: 'How to reach the operator: a page, or `mailto:`' }),
      cancel_fee_micro: z.int().meta({
        description:
          'What the service keeps of the prize of an open project that its poster cancels, from the third of a UTC day on',
      }),
      sends_email: z.boolean().meta({ description: 'Whether the service sends emails about events' }),
      development: z.boolean(),
      rpc_url: z.string().optional().meta({ description: 'In a development start only' }),
    }),
    // The only client error: a malformed Host, or a target that is not a URL.
    errors: ['VALIDATION_ERROR'],
  },

  mintTestUsdc: {
    ...asVisitor,
    method: 'post',
    path: '/dev/faucet',
    summary: 'Mint test USDC (development start only)',
    developmentOnly: true,
    body: z.object({ address: walletAddress, amount_usdc: usdcAmount.refine((micro) => micro > 0, 'more than 0') }),
    output: z.object({ message: z.string(), address: z.string(), amount_micro: z.int(), balance_micro: z.int() }),
    errors: ['NOT_FOUND'],
  },
});
