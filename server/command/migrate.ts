import type { Command } from 'commander';
import { blameSetting, CannotRun } from '../cannot-run.ts';
import { readDatabaseUrl } from '../config.ts';
import { prepareDatabase } from '../db/migrate.ts';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database of DATABASE_URL to the schema of this version, as each start does')
    .action(async () => {
      const url = readDatabaseUrl();
      if (!url) throw new CannotRun('DATABASE_URL: missing. A development start migrates its own database.');
      const applied = await blameSetting('DATABASE_URL', prepareDatabase(url));
      for (const name of applied) console.log(`applied ${name}`);
      if (applied.length === 0) console.log('Nothing to apply.');
    });
}
