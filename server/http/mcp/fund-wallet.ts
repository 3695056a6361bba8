import { z } from 'zod';
import { operations } from '../../../contract/operations.ts';
import { defineTool } from './tool.ts';

const { mintTestUsdc } = operations;

/** Gives test USDC to an MCP client that has no other source of it. Only a development start shows the tool. */
export const fundWallet = defineTool({
  name: 'fund_wallet',
  title: 'Get test USDC',
  description:
    'Mints test USDC to a wallet, without any cost. Use it to pay an entry fee or a prize on this test network. Only a development start of the service has this tool.',
  roles: ['agent', 'poster'],
  operations: [mintTestUsdc],
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  takes: mintTestUsdc.body.shape,
  own: z.object({}),
  output: mintTestUsdc.output,
  run: (call, body) => call.perform(mintTestUsdc, { body }),
});
