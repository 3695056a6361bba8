import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { privateKeyToAddress } from 'viem/accounts';

/** Fills 32 bytes with random ones. Tests give their own. */
export type Random = (size: number) => Buffer;

export function addKeys(program: Command): void {
  program
    .command('keys')
    .description('print a complete production environment with new keys; nothing is stored')
    .action(() => console.log(productionEnvironment(randomBytes)));
}

/**
 * Returns the lines of an env file: new keys, and a line to fill in for each other setting that production requires. Each
 * secret can also be a file: `NAME_FILE` with its path, in place of `NAME`.
 */
export function productionEnvironment(random: Random): string {
  const [treasury, facilitator] = [privateKey(random), privateKey(random)];
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

# The treasury receives every fee and prize. Its address: ${privateKeyToAddress(treasury)}
TREASURY_KEY=${treasury}
# A process with --role=api takes this line, and not TREASURY_KEY.
TREASURY_ADDRESS=${privateKeyToAddress(treasury)}
# A remote signer can hold the key: then set TREASURY_SIGNER_URL in place of TREASURY_KEY (docs/operators/keys.md).

# The facilitator in the service broadcasts payments. Send some ETH for gas, and no USDC, to its address:
# ${privateKeyToAddress(facilitator)}
# To use another facilitator, remove this key and set FACILITATOR_URL.
FACILITATOR_KEY=${facilitator}

# Encrypts what the database holds, and derives the keys that sign.
SECRETS_KEY=${random(32).toString('hex')}

# Your key to the operator's pages and requests, until you add a named operator with the scope admin.
OPERATOR_KEY=${random(33).toString('base64url')}

# Your monitoring sends this token to read /metrics.
METRICS_TOKEN=${random(33).toString('base64url')}`;
}

function privateKey(random: Random): `0x${string}` {
  return `0x${random(32).toString('hex')}`;
}
