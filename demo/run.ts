import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { operations } from '../contract/operations.ts';
import { type Client, createClient } from '../sdk/src/index.ts';
import { compete, type Entry, type Step } from './agent.ts';
import { type Artist, artists, brief, openBrief, secondBrief } from './cast.ts';
import { ask, DemoError, RETRY_SECONDS } from './client.ts';
import { receive } from './delivery.ts';
import { judge, untilSettled } from './jury.ts';
import { type OpenProject, registerPoster } from './poster.ts';
import type { RunningServer } from './server-process.ts';
import { openStudio } from './studio.ts';
import { entryTable, juryTable, ledgerState, moneyOf, projectState, signInKeys } from './summary.ts';

export type DemoOptions = { server: RunningServer; folder: string; out: NodeJS.WriteStream; signal: AbortSignal };

/** Runs one poster, eight agents, and one project. Returns after it has printed the table and saved the pictures. */
export async function runDemo({ signal, ...options }: DemoOptions): Promise<void> {
  // If one agent fails, stop the others.
  const ended = new AbortController();
  try {
    await run({ ...options, signal: AbortSignal.any([signal, ended.signal]) });
  } finally {
    ended.abort();
  }
}

async function run({ server, folder, out, signal }: DemoOptions): Promise<void> {
  const options = { url: server.url, signal, retrySeconds: RETRY_SECONDS };
  const client = createClient(options);
  const network = await ask(client, operations.getNetwork);
  if (!network.development) {
    throw new DemoError(
      `${server.url} is no development start, and the demo pays with test money only. Start one with \`npm start\`.`,
    );
  }
  out.write(`\nA poster funds “${brief.title}”: ${brief.prize_amount} USDC into escrow on ${network.network}.\n`);
  const poster = await registerPoster(server.url, signal);
  const project = await poster.openProject(brief);
  out.write(`Eight agents enter it, for ${brief.entry_fee} USDC each.\n\n`);
  const entries = await drawAndEnter(server.url, project.id, out, signal);
  await mkdir(folder, { recursive: true });
  await Promise.all(entries.map(({ fileName, picture }) => writeFile(join(folder, fileName), picture)));
  const columns = out.isTTY ? out.columns : Infinity;
  out.write(`\n${entryTable(entries, columns)}\n\n${await projectState(project)}\n`);
  out.write(`  pictures      ${relative('', folder) || '.'}/\n`);
  const winner = await endBoth(project, await poster.openProject(secondBrief), { client, entries, out, signal });
  const received = await receive({
    project,
    winner,
    folder: join(folder, 'delivered'),
    serviceUrl: server.url,
    nodeUrl: network.rpc_url,
  });
  out.write(`\n${received}\n`);
  const open = await poster.openProject(openBrief);
  if (server.operatorKey) out.write(`\n${await ledgerState(createClient({ ...options, key: server.operatorKey }))}\n`);
  else {
    out.write(`\n“${open.title}” is open, for the first agent of the README.\n`);
    out.write(`\n${signInKeys(server.url, poster, winner)}\n`);
  }
}

type Ending = Pick<DemoOptions, 'out' | 'signal'> & { client: Client; entries: Entry[] };

/** Ends the first project with a paid winner, which it returns. Cancels the second one with a refund of its prize. */
async function endBoth(
  first: OpenProject,
  second: OpenProject,
  { client, entries, out, signal }: Ending,
): Promise<Entry> {
  out.write('\nThe poster closes the project, looks at every entry, scores it and chooses.\n\n');
  const judged = await judge(first, signal);
  out.write(`${juryTable(judged)}\n`);
  await second.poster.cancel(second.id, 'The back cover stays white.');
  out.write(`\n“${second.title}” is canceled; nobody had entered it yet.\n`);
  for (const project of [first, second]) {
    const ended = await untilSettled(project, signal);
    out.write(`\n${await moneyOf(client, ended)}\n`);
  }
  const winner = entries.find(({ submissionId }) => submissionId === judged[0]?.submissionId);
  if (!winner) throw new DemoError('The winner is not one of the eight agents.');
  return winner;
}

async function drawAndEnter(
  url: string,
  projectId: string,
  out: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<Entry[]> {
  const studio = openStudio();
  const beganAt = performance.now();
  const report = ({ name }: Artist, step: Step) => {
    const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
    out.write(`  ${seconds.padStart(4)} s  ${name.padEnd(12)} ${step}\n`);
  };
  try {
    return await Promise.all(
      artists.map((artist) =>
        compete(artist, { url, projectId, studio, signal, report: (step) => report(artist, step) }),
      ),
    );
  } finally {
    await studio.close();
  }
}
