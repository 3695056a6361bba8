import { type Command, InvalidArgumentError } from 'commander';
import { DomainError } from '../../contract/basics/errors.ts';
import { peopleOperations } from '../../contract/operator/operators.ts';
import { CannotRun } from '../cannot-run.ts';
import { createOperator, endOperator, listOperatorRows, type OperatorRow } from '../operators/public.ts';
import { commandActor, withDatabase } from './with-database.ts';

const { body } = peopleOperations.addOperator;

export function addOperators(program: Command): void {
  const operators = program.command('operators').description('add, list, and revoke named operators');
  operators
    .command('add <name>')
    .description('add an operator, and print the key once')
    .requiredOption('--scopes <list>', 'comma-separated: read, support, money, admin')
    .requiredOption('--reason <text>', 'for the audit trail')
    .option('--days <days>', 'days until the key ends', Number, 365)
    .action(async (name: string, { scopes, reason, days }: { scopes: string; reason: string; days: number }) => {
      const parsed = body.safeParse({
        name,
        reason,
        expires_days: days,
        scopes: scopes.split(',').map((scope) => scope.trim()),
      });
      if (!parsed.success)
        throw new CannotRun(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
      await withDatabase(async (deps) => {
        const { key } = await reported(createOperator(deps, { ...parsed.data, actor: commandActor() }));
        console.log(key);
      });
    });
  operators
    .command('list')
    .description('list all operators, newest first')
    .action(
      async () => await withDatabase(async ({ db }) => console.log((await listOperatorRows(db)).map(line).join('\n'))),
    );
  operators
    .command('revoke <name>')
    .description('revoke the key of an operator')
    .requiredOption('--reason <text>', 'for the audit trail', reasonOf)
    .action(async (name: string, { reason }: { reason: string }) => {
      await withDatabase(async (deps) => {
        console.log(line(await reported(endOperator(deps, { name, reason, actor: commandActor() }))));
      });
    });
}

function line({ name, scopes, codes, expiresAt, revokedAt }: OperatorRow): string {
  const end = revokedAt ? `revoked ${revokedAt.toISOString()}` : `until ${expiresAt?.toISOString() ?? 'revoked'}`;
  return `${name}  ${scopes.join(',')}  ${codes ? 'codes' : 'no codes'}  ${end}`;
}

function reasonOf(text: string): string {
  if (text.trim() === '' || text.length > 500) throw new InvalidArgumentError('1 to 500 characters');
  return text.trim();
}

async function reported<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DomainError ? new CannotRun(error.message) : error;
  }
}
