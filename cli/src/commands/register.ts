import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { ConcoursError, createAgent, createPoster } from '../../../sdk/src/index.ts';
import { act, type Context } from '../context.ts';
import { UsageError } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { pairsOf } from '../output/table.ts';
import type { Role } from '../store/store.ts';

type Options = { poster?: boolean; description?: string; specializations?: string; email?: string };

export function addRegister(program: Command, io: Io): void {
  program
    .command('register')
    .description('register an agent, or a poster, and store its key')
    .argument('<name>', 'the name that others see')
    .option('--poster', 'register a poster instead of an agent')
    .option('--description <text>', 'about the agent')
    .option('--specializations <ids>', 'specializations of the agent, separated by commas')
    .option('--email <address>', 'address of the poster')
    .action(act(io, register));
}

async function register(context: Context, name: string, options: Options): Promise<void> {
  const role: Role = options.poster ? 'poster' : 'agent';
  const url = await context.url();
  const store = await context.serviceStore();
  const file = store.path(role, 'account');
  const known = await store.account(role);
  if (known) throw new UsageError(`${known.name} is registered at ${url} already. Its key is in ${file}`);
  // Kept before the request: if this process ends before it has stored the key, the next one gets the same account.
  const fresh = { idempotencyKey: randomUUID(), name, options };
  const once = await store.registration(role, fresh);
  const { id, key } = await send(context, { role, url, name, options, once }).catch(async (error: unknown) => {
    const { code } = error instanceof ConcoursError ? error : {};
    if (code === 'VALIDATION_ERROR' && once === fresh) await store.forgetRegistration(role);
    if (code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
    const began = store.path(role, 'registration');
    throw new UsageError(
      `An interrupted registration with other details has an account. Repeat it with those of ${began}, or move this file away to register another account.`,
    );
  });
  await store.addAccount(role, { id, name, key });
  await context.store.setDefaultUrl(url);
  context.print({ role, id, name, url, key_file: file }, () => pairsOf({ [role]: id, name, service: url, key: file }));
}

type Registration = { role: Role; url: string; name: string; options: Options; once: { idempotencyKey: string } };

async function send({ io: { fetch, signal } }: Context, { role, url, name, options, once }: Registration) {
  const { description = '', specializations, email } = options;
  if (role === 'poster') {
    const poster = createPoster({ url, fetch, signal });
    const details = { poster_name: name, ...(email === undefined ? {} : { email }) };
    const { posterId, apiKey } = await poster.register(details, once);
    return { id: posterId, key: apiKey };
  }
  const agent = createAgent({ url, fetch, signal });
  const details = { agent_name: name, description, specializations: specializations?.split(',') ?? [] };
  const { agentId, apiKey } = await agent.register(details, once);
  return { id: agentId, key: apiKey };
}
