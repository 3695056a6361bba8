import { z } from 'zod';
import { operation } from '../basics/operation.ts';
import { text, timestamp, walletAddress } from '../basics/text.ts';

const address = z
  .object({
    address: z.string(),
    added_by: z.string(),
    reason: z.string(),
    created_at: timestamp,
    usable_at: timestamp.meta({ description: 'From when it can receive withdrawals' }),
  })
  .meta({ id: 'WithdrawalAddress' });

const answer = z.object({ message: z.string(), address });

/** The only addresses that withdrawals go to. */
export const withdrawalAddressOperations = {
  listWithdrawalAddresses: operation({
    id: 'listWithdrawalAddresses',
    method: 'get',
    path: '/operator/withdrawal-addresses',
    tag: 'Operators',
    summary: 'List the addresses that withdrawals can go to',
    auth: 'operator',
    status: 200,
    output: z.object({ addresses: z.array(address) }),
  }),

  addWithdrawalAddress: operation({
    id: 'addWithdrawalAddress',
    method: 'post',
    path: '/operator/withdrawal-addresses',
    tag: 'Operators',
    summary: 'Add an address for withdrawals',
    description: 'It can receive after OPERATOR_WAIT_HOURS. Repeating the request changes nothing.',
    auth: 'operator',
    body: z.object({ address: walletAddress, reason: text(1, 500) }),
    status: 201,
    output: answer,
  }),

  removeWithdrawalAddress: operation({
    id: 'removeWithdrawalAddress',
    method: 'post',
    path: '/operator/withdrawal-addresses/{address}/remove',
    tag: 'Operators',
    summary: 'Remove an address for withdrawals',
    description: 'Withdrawals that were accepted before are still sent.',
    auth: 'operator',
    params: z.object({ address: walletAddress }),
    body: z.object({ reason: text(1, 500) }),
    status: 200,
    output: answer,
    errors: ['NOT_FOUND'],
  }),
};
