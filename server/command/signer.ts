import { hostname } from 'node:os';
import type { Command } from 'commander';
import { blameSetting, CannotRun } from '../cannot-run.ts';
import { networks } from '../chain/public.ts';
import { readSettings } from '../config.ts';
import { createReadingPool } from '../db/pool.ts';
import { createLog } from '../log.ts';
import { untilStopped } from '../run-to-end.ts';
import { listenForTransfers, openSignedAmounts, type SignerRules } from '../signer/public.ts';
import { VERSION } from '../version.ts';
import { createTransferSigner } from '../x402/public.ts';

const SETTINGS = [
  'DATABASE_URL',
  'DATABASE_PREPARE',
  'NETWORK',
  'TREASURY_KEY',
  'TREASURY_ADDRESS',
  'SIGNER_LISTEN',
  'SIGNER_CA',
  'SIGNER_CERT',
  'SIGNER_KEY',
  'SIGNER_STATE',
  'SIGNER_CAP_USDC',
  'SIGNER_DAILY_CAP_USDC',
  'SIGNER_WITHDRAWAL_ADDRESSES',
  'PAYOUT_CAP_USDC',
  'LOG_LEVEL',
] as const;
type Values = ReturnType<typeof readSettings<(typeof SETTINGS)[number]>>;

// A signature needs one short statement. With four connections, one slow statement does not block the others.
const CONNECTIONS = 4;
const STATEMENT_TIMEOUT = '5s';

export function addSigner(program: Command): void {
  program
    .command('signer')
    .description("hold the treasury's key and sign payouts of this database, until SIGINT or SIGTERM")
    .action(async () => await runSigner(readSettings([...SETTINGS])));
}

async function runSigner(values: Values): Promise<void> {
  const { url, address, key, state, network } = requiredOf(values);
  const certificates = certificatesOf(values, address);
  const signer = createTransferSigner(key as `0x${string}`);
  if (values.TREASURY_ADDRESS !== undefined && values.TREASURY_ADDRESS !== signer.address)
    throw new CannotRun('TREASURY_ADDRESS: TREASURY_KEY belongs to another address');
  const log = createLog(values.LOG_LEVEL ?? 'info', undefined, { host: hostname(), role: 'signer', version: VERSION });
  const amounts = openSignedAmounts(state);
  const prepare = values.DATABASE_PREPARE === 'true';
  const db = createReadingPool({ url, connections: CONNECTIONS, prepare, timeout: STATEMENT_TIMEOUT });
  try {
    const rules = rulesOf(values, { network, treasury: signer.address });
    const deps = { db, rules, amounts, key: signer, clock: { now: () => new Date() }, log };
    const listener = await blameSetting('SIGNER_LISTEN', listenForTransfers(deps, { address, certificates }));
    console.log(`The signer of ${signer.address} listens at ${address}.`);
    await untilStopped();
    await listener.close();
  } finally {
    amounts.close();
    await db.end({ timeout: 5 });
  }
}

/** @throws CannotRun that names every missing setting */
function requiredOf({ DATABASE_URL: url, SIGNER_LISTEN: address, TREASURY_KEY: key, ...values }: Values) {
  const { SIGNER_STATE: state, NETWORK: network } = values;
  const missing = Object.entries({
    DATABASE_URL: url,
    NETWORK: network,
    TREASURY_KEY: key,
    SIGNER_LISTEN: address,
    SIGNER_STATE: state,
  })
    .filter(([, value]) => value === undefined)
    .map(([name]) => `${name}: missing`);
  if (!url || !address || !key || !state || !network) throw new CannotRun(missing.join('\n'));
  return { url, address, key, state, network };
}

function certificatesOf({ SIGNER_CA: ca, SIGNER_CERT: cert, SIGNER_KEY: key }: Values, address: string) {
  if (address.startsWith('unix:')) return null;
  if (!ca || !cert || !key) throw new CannotRun('SIGNER_LISTEN: https:// needs SIGNER_CA, SIGNER_CERT, and SIGNER_KEY');
  return { ca, cert, key };
}

function rulesOf(
  values: Values,
  { network, treasury }: { network: keyof typeof networks; treasury: string },
): SignerRules {
  const micro = (usdc: number) => Math.round(usdc * 1_000_000);
  return {
    network,
    asset: networks[network].usdc.address,
    treasury,
    perTransferMicro: micro(values.SIGNER_CAP_USDC),
    perDayMicro: micro(values.SIGNER_DAILY_CAP_USDC),
    withdrawalAddresses: values.SIGNER_WITHDRAWAL_ADDRESSES,
    releaseAboveMicro: micro(values.PAYOUT_CAP_USDC),
  };
}
