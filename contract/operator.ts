import { z } from 'zod';
import { microAmount } from './money.ts';
import { operation } from './operation.ts';
import { timestamp } from './text.ts';

export const operatorOperations = {
  getLedger: operation({
    id: 'getLedger',
    method: 'get',
    path: '/operator/ledger',
    tag: 'Operator',
    summary: 'Check the books against themselves and against the chain, now',
    auth: 'operator',
    status: 200,
    output: z.object({
      balanced: z.boolean().meta({ description: 'Every invariant of the ledger holds' }),
      chain_matches: z
        .boolean()
        .meta({ description: "The treasury's USDC and every transfer into it match the books" }),
      problems: z.array(z.string()),
      accounts: z.array(z.object({ account: z.string(), balance_micro: microAmount })),
      unknown_payments: z.int().meta({ description: 'Settlements whose outcome is not known yet' }),
      checked_at: timestamp,
      block: z.int(),
    }),
  }),
};
