import { usdcNumber } from '../contract/basics/money.ts';
import { operations } from '../contract/operations.ts';
import type { Client } from '../sdk/src/index.ts';
import type { Entry } from './agent.ts';
import { ask } from './client.ts';
import type { Judged } from './jury.ts';
import type { DemoPoster, OpenProject } from './poster.ts';

/** The closing table: each agent, its entry, and the transaction that paid for it. */
export function entryTable(entries: Entry[], columns: number): string {
  const header = ['agent', 'file', 'pixels', 'size', 'entry fee transaction'];
  const rows = entries.map(({ artist, fileName, picture, transaction }) => [
    artist.name,
    fileName,
    `${artist.size.width}×${artist.size.height}`,
    `${Math.round(picture.length / 1024)} KB`,
    // A hash has 66 characters, so a narrow terminal shows only its ends.
    columns >= 135 ? transaction : `${transaction.slice(0, 10)}…${transaction.slice(-8)}`,
  ]);
  return table(header, rows, [2, 3]);
}

/** The poster's review of each entry, the winner first. */
export function juryTable(judged: Judged[]): string {
  const rows = judged.map(({ agent, title, score, feedback }, place) => [
    place === 0 ? '★' : '',
    agent,
    title,
    String(score),
    feedback,
  ]);
  return table(['', 'agent', 'picture', 'score', 'feedback'], rows, [3]);
}

/** Draws a table. `numbers` lists the right-aligned columns. */
function table(header: string[], rows: string[][], numbers: number[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    numbers.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  const line = (cells: string[]) => `  ${cells.map(pad).join('   ')}`.trimEnd();
  return [line(header), `  ${widths.map((width) => '─'.repeat(width)).join('───')}`, ...rows.map(line)].join('\n');
}

/** Returns the current state of the project as its poster sees it. */
export async function projectState({ poster, id, transaction }: OpenProject): Promise<string> {
  const project = await poster.project(id);
  return [
    `  project       “${project.title}” (${project.id})`,
    `  state         ${project.status}, ${project.total_submissions} entries, until ${project.auto_select_deadline}`,
    `  prize         ${usdcNumber(project.prize_amount_micro)} USDC in escrow, paid by ${transaction}`,
    `  winner gets   ${usdcNumber(project.winner_receives_micro)} USDC`,
    `  places        ${project.places_left ?? 'any number'} left; one more entry wins ${usdcNumber(project.expected_value_micro).toFixed(2)} USDC on average, after its fee`,
  ].join('\n');
}

/**
 * Returns the keys with which a person opens the data of the demo in the console. Only a service that stays up has them: a
 * server of the demo ends with it.
 */
export function signInKeys(url: string, poster: DemoPoster, winner: Entry): string {
  return [
    'See it in the console: open the page, and sign in with its key.',
    `  poster        ${poster.key}   ${poster.name}, at ${url}/poster`,
    `  agent         ${winner.key}   ${winner.artist.name}, which won, at ${url}/agent`,
    '  The keys are of test accounts. A key of your own is a secret: print it nowhere.',
  ].join('\n');
}

type Ended = { id: string; title: string; status: string };

/** Lists the public transfers of a project's money, each with its transaction hash. */
export async function moneyOf(client: Client, { id, title, status }: Ended): Promise<string> {
  const data = await ask(client, operations.getProjectMoney, { params: { project_id: id } });
  const usdc = (micro: number) => `${usdcNumber(micro).toFixed(2)} USDC`;
  const lines: [string, number, string][] = [
    ['prize paid in', data.prize?.amount_micro ?? 0, data.prize?.tx_hash ?? ''],
    [`${data.entry_fees.count} entry fees`, data.entry_fees.total_micro, ''],
    ...data.payouts.map((paid): [string, number, string] => [
      `${paid.kind} paid out`,
      -paid.amount_micro,
      paid.tx_hash ?? paid.status,
    ]),
    ...data.refunds.map((paid): [string, number, string] => [
      'refunded',
      -paid.amount_micro,
      paid.tx_hash ?? paid.status,
    ]),
    ['platform fee', -data.platform_fee_micro, ''],
    ['entry fees kept', -data.entry_fees_kept_micro, ''],
    ['still held', -data.held_micro, ''],
  ];
  return [
    `  “${title}” is ${status}${data.balanced ? '' : ', and its money DOES NOT ADD UP'}:`,
    ...lines
      .filter(([, micro]) => micro !== 0)
      .map(([what, micro, transaction]) =>
        `  ${what.padEnd(16)} ${usdc(micro).padStart(12)}   ${transaction}`.trimEnd(),
      ),
  ].join('\n');
}

/** Checks the books now, against themselves and against the chain. */
export async function ledgerState(operator: Client): Promise<string> {
  const data = await ask(operator, operations.getLedger);
  return [
    `  ledger        ${data.balanced ? 'balanced' : 'NOT BALANCED'}, ${data.chain_matches ? 'matches the chain' : 'DOES NOT MATCH THE CHAIN'} at block ${data.block}, ${data.unknown_payments} payments of unknown outcome`,
    ...data.problems.map((problem) => `                ${problem}`),
    ...data.accounts.map(
      ({ account, balance_micro: micro }) =>
        `                ${account.padEnd(44)} ${usdcNumber(micro).toFixed(6).padStart(14)}`,
    ),
  ].join('\n');
}
