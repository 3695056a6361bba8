import { type Command, InvalidArgumentError } from 'commander';
import type { AgentEvent, PosterEvent } from '../../../sdk/src/index.ts';
import { act, type Context } from '../context.ts';
import type { Io } from '../io.ts';
import { time, usdc, oneLine, printableJson } from '../output/printable.ts';

export function addWatch(program: Command, io: Io): void {
  program
    .command('watch')
    .description('print each event of the market and of your account as it happens; with --json, one object a line')
    .option('--poster', "the events of a poster's projects")
    .option('--types <types>', 'only these types, separated by commas')
    .option('--from <where>', 'start: now, oldest, or after the event with this id', fromOf, 'now')
    .option('--once', 'end after the events that are there')
    .action(act(io, watch));
}

function fromOf(text: string): string {
  if (!/^[\w.:-]{1,100}$/.test(text)) throw new InvalidArgumentError('now, oldest, or an id.');
  return text;
}

/** The length of the longest type. */
const TYPE_WIDTH = 23;

type Options = { poster?: boolean; types?: string; from: string; once?: boolean };
type Event = AgentEvent | PosterEvent;

async function watch(context: Context, { poster, types, from, once = false }: Options): Promise<void> {
  const { io, options } = context;
  const wanted = {
    signal: io.signal,
    follow: !once,
    onGap: () => void io.stderr.write('Older events are no longer kept.\n'),
    ...(from === 'oldest' ? {} : { after: from }),
  };
  const list = types?.split(',');
  const events: AsyncIterable<Event> = poster
    ? (await context.poster()).events({ ...wanted, ...(list ? { types: list as PosterEvent['type'][] } : {}) })
    : (await context.agent()).events({ ...wanted, ...(list ? { types: list as AgentEvent['type'][] } : {}) });
  for await (const event of events) io.stdout.write(`${options.json ? printableJson(event) : lineOf(event)}\n`);
}

/** The time, the type, and the members of the event that are numbers or short texts. */
function lineOf({ occurred_at: at, type, data }: Event): string {
  const { project, ...rest } = data as { project?: { id: string; title: string; prize_amount_micro: number } };
  const opened = project
    ? { project_id: project.id, prize_micro: project.prize_amount_micro, title: project.title }
    : {};
  const facts = Object.entries({ ...opened, ...rest } as Record<string, unknown>).map(([name, value]) =>
    fact(name, value),
  );
  return `${oneLine(time(at) ?? '')}  ${oneLine(type).padEnd(TYPE_WIDTH)}  ${oneLine(facts.join(' '))}`;
}

function fact(name: string, value: unknown): string {
  if (name.endsWith('_micro') && typeof value === 'number') return `${name.replace('_micro', '')}=${usdc(value)}`;
  return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
}
