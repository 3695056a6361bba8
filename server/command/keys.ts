import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { privateKeyToAddress } from 'viem/accounts';
import { CannotRun } from '../cannot-run.ts';

/** Fills 32 bytes with random ones. Tests give their own. */
export type Random = (size: number) => Buffer;

export function addKeys(program: Command): void {
  program
    .command('keys')
    .description('print a complete production environment with new keys; nothing is stored')
    .option('--folder <folder>', 'write each secret into a file of this new folder instead, for containers')
    .action(({ folder }: { folder?: string }) =>
      console.log(folder === undefined ? productionEnvironment(randomBytes) : writeSecrets(folder, randomBytes)),
    );
}

/**
 * Writes the secrets of the containers in deploy/, one file each, and returns what to do next.
 *
 * @throws CannotRun if the folder has secrets: a second TREASURY_KEY would take the place of the one that holds the money
 */
export function writeSecrets(folder: string, random: Random): string {
  const keys = newKeys(random);
  const password = random(24).toString('base64url');
  const secrets = {
    ...keys,
    TREASURY_ADDRESS: privateKeyToAddress(keys.TREASURY_KEY),
    DATABASE_PASSWORD: password,
    DATABASE_URL: `postgres://concours:${password}@postgres:5432/concours`,
    S3_ACCESS_KEY_ID: random(10).toString('hex'),
    S3_SECRET_ACCESS_KEY: random(30).toString('base64url'),
  };
  // Containers run as other users, and a file is mounted with its mode. The mode of the folder keeps the users of this
  // machine out.
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  for (const [name, value] of Object.entries(secrets))
    try {
      writeFileSync(join(folder, name), `${value}\n`, { flag: 'wx', mode: 0o444 });
    } catch (error) {
      throw new CannotRun(`${join(folder, name)} cannot be written (${(error as NodeJS.ErrnoException).code})`);
    }
  return `Wrote ${Object.keys(secrets).length} secrets. Back up TREASURY_KEY and SECRETS_KEY apart from all other backups.
The treasury receives every fee and prize. Its address: ${secrets.TREASURY_ADDRESS}
Send some ETH for gas, and no USDC, to the facilitator: ${privateKeyToAddress(keys.FACILITATOR_KEY)}
OPERATOR_KEY is your first sign-in, at /operator.`;
}

function newKeys(random: Random) {
  return {
    TREASURY_KEY: privateKey(random),
    FACILITATOR_KEY: privateKey(random),
    SECRETS_KEY: random(32).toString('hex'),
    OPERATOR_KEY: random(33).toString('base64url'),
    METRICS_TOKEN: random(33).toString('base64url'),
  };
}

/**
 * Returns the lines of an env file: new keys, and a line to fill in for each other setting that production requires. Each
 * secret can also be a file: `NAME_FILE` with its path, in place of `NAME`.
 */
export function productionEnvironment(random: Random): string {
  const keys = newKeys(random);
  const treasuryAddress = privateKeyToAddress(keys.TREASURY_KEY);
  return `# A production environment of Concours. Every key below is new, and is stored nowhere else: keep this text secret,
# and back up TREASURY_KEY and SECRETS_KEY apart from all other backups. Fill in the lines that end with nothing.
# Each secret can also be a file: put NAME_FILE=/path in place of NAME=value. docs/settings.md lists every setting.
NODE_ENV=production

# The address for clients, behind your TLS proxy, such as https://market.example, and the addresses of the proxies.
PUBLIC_URL=
TRUSTED_PROXIES=

# PostgreSQL 15 or later, such as postgres://concours:…@db/concours?sslmode=verify-full. In a network of containers without
# TLS, add TRUSTED_NETWORKS=db with the names of its hosts.
DATABASE_URL=

# An S3-compatible store with a private bucket. If agents reach it by another address, add S3_PUBLIC_ENDPOINT.
S3_ENDPOINT=
S3_BUCKET=concours
S3_ACCESS_KEY_ID=
S3_SECRET_ACCESS_KEY=

# Base is eip155:8453; eip155:84532 is Base Sepolia, with test money. RPC_URL is a node of that network.
NETWORK=eip155:8453
RPC_URL=

# The treasury receives every fee and prize. Its address: ${treasuryAddress}
TREASURY_KEY=${keys.TREASURY_KEY}
# A process with --role=api takes this line, and not TREASURY_KEY.
TREASURY_ADDRESS=${treasuryAddress}
# A remote signer can hold the key: then set TREASURY_SIGNER_URL in place of TREASURY_KEY (docs/operators/keys.md).

# The facilitator in the service broadcasts payments. Send some ETH for gas, and no USDC, to its address:
# ${privateKeyToAddress(keys.FACILITATOR_KEY)}
# To use another facilitator, remove this key and set FACILITATOR_URL.
FACILITATOR_KEY=${keys.FACILITATOR_KEY}

# Encrypts what the database holds, and derives the keys that sign.
SECRETS_KEY=${keys.SECRETS_KEY}

# Your key to the operator's pages and requests, for programs and for a start without an identity provider.
OPERATOR_KEY=${keys.OPERATOR_KEY}

# Your monitoring sends this token to read /metrics.
METRICS_TOKEN=${keys.METRICS_TOKEN}`;
}

function privateKey(random: Random): `0x${string}` {
  return `0x${random(32).toString('hex')}`;
}
