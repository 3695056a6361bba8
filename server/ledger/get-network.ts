import { getAddress } from 'viem';
import type { networkOperations } from '../../contract/network.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { isShort } from './shortage.ts';
import { newestCheck } from './check-queries.ts';
import { recoveryNeeded } from './recovery-state.ts';

type Operation = typeof networkOperations.getNetwork;

/** Returns what payments use, whether the service takes money, and the operator's legal texts. */
export async function getNetwork(ctx: Context, _input: Input<Operation>): Promise<Output<Operation>> {
  const { network, payTo, config, publicUrl } = ctx;
  const { legal } = config;
  const [check, recovery] = await Promise.all([newestCheck(ctx.reads), recoveryNeeded(ctx.reads)]);
  return {
    network: network.id,
    chain_id: network.chainId,
    // Checksummed, as the 402 shows them: a client may compare the text.
    usdc: { ...network.usdc, address: getAddress(network.usdc.address) },
    pay_to: getAddress(payTo),
    accepting_payments: recovery === null && !isShort(check),
    held_micro: check?.chainMicro ?? null,
    owed_micro: check?.owedMicro ?? null,
    checked_block: check?.block ?? null,
    checked_at: check?.checkedAt ?? null,
    facilitator: config.facilitatorUrl ?? 'in-process',
    licences_url: `${publicUrl}/docs/rights`,
    terms_url: legal.termsUrl,
    terms_version: legal.termsVersion,
    privacy_url: legal.privacyUrl,
    imprint_url: legal.imprintUrl,
    contact_url: legal.contactUrl,
    cancel_fee_micro: config.cancelFeeMicro,
    sends_email: ctx.sendMail !== null,
    development: config.development,
    ...(ctx.developmentRpcUrl === undefined ? {} : { rpc_url: ctx.developmentRpcUrl }),
  };
}
