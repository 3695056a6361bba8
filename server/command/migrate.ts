import { type Command, Option } from 'commander';
import { blameSetting, CannotRun } from '../cannot-run.ts';
import { readSettings } from '../config.ts';
import { migrateApart, planOf } from '../db/prepare.ts';

type Options = { plan?: true; phase: 'expand' | 'contract' | 'all'; grant?: string; grantSigner?: string };

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database of DATABASE_URL to the schema of this version')
    .option('--plan', 'list what would be applied, and change nothing')
    .addOption(
      new Option('--phase <phase>', 'expand: before the new version starts; contract: after the last old process ended')
        .choices(['expand', 'contract', 'all'])
        .default('all'),
    )
    .option(
      '--grant <role>',
      'give this role of the database the rights to serve, without the right to change the schema',
    )
    .option(
      '--grant-signer <role>',
      'give this role of the database the right to read what `concours-server signer` needs',
    )
    .action(async (options: Options) => {
      const { DATABASE_URL: url } = readSettings(['DATABASE_URL']);
      if (!url) throw new CannotRun('DATABASE_URL: missing. A development start migrates its own database.');
      await blameSetting('DATABASE_URL', options.plan ? showPlan(url, options) : apply(url, options));
    });
}

async function showPlan(url: string, { phase }: Options): Promise<void> {
  const missing = await planOf(url, phase);
  for (const { name, kind, concurrently, lowestCode } of missing) {
    const notes = [
      kind ?? 'expand',
      ...(concurrently ? ['concurrently'] : []),
      ...(lowestCode ? [`ends versions before ${lowestCode}`] : []),
    ];
    console.log(`${name}  ${notes.join(', ')}`);
  }
  if (missing.length === 0) console.log('Nothing to apply.');
}

async function apply(url: string, { phase, grant, grantSigner }: Options): Promise<void> {
  const applied = await migrateApart(url, { phase, servingRole: grant, signerRole: grantSigner });
  for (const name of applied) console.log(`applied ${name}`);
  if (applied.length === 0) console.log('Nothing to apply.');
  if (grant !== undefined) console.log(`granted the rights to serve to ${grant}`);
  if (grantSigner !== undefined) console.log(`granted the rights of a signer to ${grantSigner}`);
}
