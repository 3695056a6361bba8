import { CannotCheck, getJson } from './get-json.ts';
import type { Check, Manifest } from './manifest.ts';

type Transfer = { from: string; to: string; units: bigint };

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const UNITS_PER_USDC = 1_000_000n;

/** Looks the transactions of a manifest up on its network. */
export async function checkTransactions(manifest: Manifest, node: string): Promise<Check[]> {
  const chainId = await ask(node, 'eth_chainId', []);
  const network = `eip155:${Number(chainId)}`;
  if (network !== manifest.network)
    throw new CannotCheck(`${node} is a node of ${network}; the manifest is of ${manifest.network}`);
  const { asset, payer, payee, prize_tx: prizeTx, fee_tx: feeTx, payout_tx: payoutTx } = manifest;
  const paid = BigInt(manifest.payout_micro);
  const transfers = (hash: string | null) => transfersOf(node, asset, hash);
  const [prize, fee, payout] = await Promise.all([transfers(prizeTx), transfers(feeTx), transfers(payoutTx)]);
  const deposit = prize.find(({ from }) => from === payer);
  const feePaid = fee.find(({ to }) => to === deposit?.to);
  // From the treasury that holds the prize: a transfer of anybody else does not pay it. It can include small credited amounts.
  const paidOut = payout.find(({ from, to, units }) => from === deposit?.to && to === payee && units >= paid);
  return [
    told('prize_tx', prizeTx, deposit, `no transfer of its token from the payer ${payer}`),
    feeTx === null
      ? { check: 'fee_tx', ok: true, message: 'fee_tx: the manifest names none' }
      : told('fee_tx', feeTx, feePaid, 'no transfer of its token to the recipient of the prize'),
    told(
      'payout_tx',
      payoutTx,
      paidOut,
      `no transfer of at least ${usdc(paid)} USDC from the recipient of the prize to the payee ${payee}`,
    ),
  ];
}

function told(check: string, hash: string | null, found: Transfer | undefined, missing: string): Check {
  if (hash === null) return { check, ok: false, message: `${check}: the manifest names none` };
  if (!found) return { check, ok: false, message: `${check}: ${hash} contains ${missing}` };
  const { from, to, units } = found;
  return { check, ok: true, message: `${check}: ${usdc(units)} USDC from ${from} to ${to}` };
}

type Receipt = { status: string; logs: { address: string; topics: string[]; data: string }[] } | null;

/** Returns the transfers of a token in a transaction; none if the node does not know it, or if it failed. */
async function transfersOf(node: string, asset: string, hash: string | null): Promise<Transfer[]> {
  if (hash === null) return [];
  const receipt = (await ask(node, 'eth_getTransactionReceipt', [hash])) as Receipt;
  if (receipt?.status !== '0x1') return [];
  return receipt.logs
    .filter(({ address, topics }) => address.toLowerCase() === asset && topics[0] === TRANSFER && topics.length === 3)
    .map(({ topics: [, from = '', to = ''], data }) => ({
      from: addressOf(from),
      to: addressOf(to),
      units: BigInt(data),
    }));
}

function addressOf(topic: string): string {
  return `0x${topic.slice(-40)}`.toLowerCase();
}

function usdc(units: bigint): string {
  const decimals = String(units % UNITS_PER_USDC)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${units / UNITS_PER_USDC}${decimals === '' ? '' : `.${decimals}`}`;
}

async function ask(node: string, method: string, params: string[]): Promise<unknown> {
  type Answer = { result?: unknown; error?: { message?: string } } | null;
  const answer = (await getJson(node, { jsonrpc: '2.0', id: 1, method, params })) as Answer;
  if (answer?.error || answer?.result === undefined)
    throw new CannotCheck(`${node} refused ${method}: ${answer?.error?.message ?? 'no result'}`);
  return answer.result;
}
