import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tx } from '../../ports/database.ts';
import { VERSION } from '../../version.ts';

/** `name` is the file's name; `hash` is the SHA-256 of its text, in hex. */
type Applied = { name: string; hash: string };

/** The migrations of version 0.1.0, which the baselines replace. */
const REPLACED = [
  '0001_agents_posters',
  '0002_ledger_payments',
  '0003_projects_submissions',
  '0004_specializations',
  '0007_judging_and_money_out',
  '0008_agent_results',
  '0009_ai_judging',
  '0011_books',
  '0012_history',
  '0013_webhooks',
  '0014_withdrawals',
  '0016_webhook_leases',
  '0017_agent_settings',
  '0017_open_projects',
  '0018_account_figures',
  '0020_idempotency_keys',
  '0021_standing',
  '0022_originality',
  '0023_market',
  '0024_poster_sessions',
  '0025_overview',
  '0026_old_events',
  '0028_payment_signatures',
  '0029_sealed_signatures',
  '0030_lane_holders',
].map((name) => `${name}.sql`);
/** SHA-256 over a line `<name> <hash>` for each of them, in the order above. */
const REPLACED_DIGEST = '3bd087eb167857c04aaf2b95a63565ecc8ea480a1e605a80b6dcb7314661ae63';
/** `adopt.sql` leads to the schema of the files up to this one. Later files are applied as usual. */
const LAST_BASELINE = '0013_judging.sql';

/** Whether version 0.1.0 migrated this database, completely or in part. */
export function isFromVersion010(applied: Applied[]): boolean {
  return applied.some(({ name }) => REPLACED.includes(name));
}

/**
 * Brings a database of version 0.1.0 to the schema of the baselines, and records the baselines as applied in place of the
 * files that version 0.1.0 applied. Rows of the domains stay as they are. The caller holds the migration lock.
 *
 * @throws Error that says what to do when version 0.1.0 has not finished its own work, or applied other files
 */
export async function adoptVersion010(tx: Tx, applied: Applied[], files: Applied[]): Promise<void> {
  const old = applied.filter(({ name }) => REPLACED.includes(name));
  if (old.length < REPLACED.length)
    throw new Error(
      `the database has ${old.length} of the ${REPLACED.length} migrations of version 0.1.0. ` +
        `Start version 0.1.0 once, so that it applies the others, then start version ${VERSION}.`,
    );
  if (digestOf(old) !== REPLACED_DIGEST)
    throw new Error(
      'this database was migrated by other files than those of version 0.1.0, so its schema is unknown. ' +
        'Restore a backup made by version 0.1.0, or use an empty database.',
    );
  if (await hasOpenSignatures(tx))
    throw new Error(
      'the database has payment signatures that are not encrypted yet. ' +
        `Start version 0.1.0 and let its job "seal signatures" finish, then start version ${VERSION}.`,
    );
  await tx.unsafe(await readFile(join(import.meta.dirname, 'adopt.sql'), 'utf8'));
  await tx`delete from migrations where name = any(${REPLACED})`;
  const baselines = files.filter(({ name }) => name <= LAST_BASELINE).map(({ name, hash }) => ({ name, hash }));
  await tx`insert into migrations ${tx(baselines)}`;
}

function digestOf(applied: Applied[]): string {
  const hash = createHash('sha256');
  for (const name of REPLACED) hash.update(`${name} ${applied.find((each) => each.name === name)?.hash}\n`);
  return hash.digest('hex');
}

/** This version reads signatures only from their own column. */
async function hasOpenSignatures(tx: Tx): Promise<boolean> {
  const [row] = await tx`
    select 1 from payments where signature is null and payload #> '{payload,signature}' is not null limit 1`;
  return row !== undefined;
}
