import { CannotCheck } from './cannot-check.mjs';
import { getJson } from './get-json.mjs';

/** @typedef {import('./manifest.mjs').Manifest} Manifest */
/** @typedef {import('./manifest.mjs').Check} Check */
/** @typedef {{from: string, to: string, units: bigint}} Transfer */

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const UNITS_PER_USDC = 1_000_000n;

/**
 * Looks the transactions of a manifest up on its network.
 *
 * @param {Manifest} manifest
 * @param {string} node
 * @returns {Promise<Check[]>}
 */
export async function checkTransactions(manifest, node) {
  const chainId = await ask(node, 'eth_chainId', []);
  const network = `eip155:${Number(chainId)}`;
  if (network !== manifest.network)
    throw new CannotCheck(`${node} is a node of ${network}; the manifest is of ${manifest.network}`);
  const { asset, payer, payee, prize_tx: prizeTx, fee_tx: feeTx, payout_tx: payoutTx } = manifest;
  const transfers = (/** @type {string | null} */ hash) => transfersOf(node, asset, hash);
  const [prize, fee, payout] = await Promise.all([transfers(prizeTx), transfers(feeTx), transfers(payoutTx)]);
  const deposit = prize.find(({ from }) => from === payer);
  return [
    told('prize_tx', prizeTx, deposit, `no transfer of its token from the payer ${payer}`),
    told(
      'fee_tx',
      feeTx,
      fee.find(({ to }) => to === deposit?.to),
      'no transfer of its token to the recipient of the prize',
    ),
    told(
      'payout_tx',
      payoutTx,
      payout.find(({ to }) => to === payee),
      `no transfer of its token to the payee ${payee}`,
    ),
  ];
}

/**
 * @param {string} check
 * @param {string | null} hash
 * @param {Transfer | undefined} found
 * @param {string} missing
 * @returns {Check}
 */
function told(check, hash, found, missing) {
  if (hash === null) return { check, ok: true, message: `${check}: the manifest names none` };
  if (!found) return { check, ok: false, message: `${check}: ${hash} contains ${missing}` };
  const { from, to, units } = found;
  return { check, ok: true, message: `${check}: ${usdc(units)} USDC from ${from} to ${to}` };
}

/**
 * Returns the transfers of a token in a transaction; none if the node does not know it, or if it failed.
 *
 * @param {string} node
 * @param {string} asset
 * @param {string | null} hash
 * @returns {Promise<Transfer[]>}
 */
async function transfersOf(node, asset, hash) {
  if (hash === null) return [];
  const receipt = /** @type {{status: string, logs: {address: string, topics: string[], data: string}[]} | null} */ (
    await ask(node, 'eth_getTransactionReceipt', [hash])
  );
  if (receipt?.status !== '0x1') return [];
  return receipt.logs
    .filter(({ address, topics }) => address.toLowerCase() === asset && topics[0] === TRANSFER && topics.length === 3)
    .map(({ topics: [, from = '', to = ''], data }) => ({
      from: addressOf(from),
      to: addressOf(to),
      units: BigInt(data),
    }));
}

/** @param {string} topic */
function addressOf(topic) {
  return `0x${topic.slice(-40)}`.toLowerCase();
}

/** @param {bigint} units */
function usdc(units) {
  const decimals = String(units % UNITS_PER_USDC)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${units / UNITS_PER_USDC}${decimals === '' ? '' : `.${decimals}`}`;
}

/**
 * @param {string} node
 * @param {string} method
 * @param {string[]} params
 */
async function ask(node, method, params) {
  const answer = /** @type {{result?: unknown, error?: {message?: string}} | null} */ (
    await getJson(node, { jsonrpc: '2.0', id: 1, method, params })
  );
  if (answer?.error || answer?.result === undefined)
    throw new CannotCheck(`${node} refused ${method}: ${answer?.error?.message ?? 'no result'}`);
  return answer.result;
}
