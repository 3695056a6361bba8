import type { Command } from 'commander';
import { CannotRun } from '../cannot-run.ts';
import { readSettings } from '../config.ts';
import { migrateDatabase } from '../main.ts';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database of DATABASE_URL to the schema of this version')
    .action(async () => {
      const { DATABASE_URL: url } = readSettings(['DATABASE_URL']);
      if (!url) throw new CannotRun('DATABASE_URL: missing. A development start migrates its own database.');
      const applied = await migrateDatabase(url);
      console.log(
        applied.length > 0 ? `Applied:\n${applied.map((name) => `  ${name}`).join('\n')}` : 'Nothing to apply.',
      );
    });
}
