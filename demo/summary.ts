import { usdcNumber } from '../contract/money.ts';
import { operations } from '../contract/operations.ts';
import type { Entry } from './agent.ts';
import type { Api } from './api.ts';
import type { OpenProject } from './poster.ts';

/** The closing table: who entered with what, and which transaction paid for it. */
export function entryTable(entries: Entry[], columns: number): string {
  const header = ['agent', 'file', 'pixels', 'size', 'generation', 'entry fee transaction'];
  const rows = entries.map(({ artist, fileName, picture, transaction, generationTimeSeconds }) => [
    artist.name,
    fileName,
    `${artist.size.width}×${artist.size.height}`,
    `${Math.round(picture.length / 1024)} KB`,
    `${generationTimeSeconds} s`,
    // A hash has 66 characters: on a narrow terminal its ends must do.
    columns >= 135 ? transaction : `${transaction.slice(0, 10)}…${transaction.slice(-8)}`,
  ]);
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    `  ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join('   ')}`.trimEnd();
  return [line(header), `  ${widths.map((width) => '─'.repeat(width)).join('───')}`, ...rows.map(line)].join('\n');
}

/** Pixels, sizes and times are numbers: they stand right. */
function pad(cell: string, width: number, column: number): string {
  return column >= 2 && column <= 4 ? cell.padStart(width) : cell.padEnd(width);
}

/** The project as its poster sees it now. */
export async function projectState({ api, id, transaction }: OpenProject): Promise<string> {
  const { data } = await api.call(operations.getOwnProject, { params: { project_id: id } });
  const { project } = data;
  return [
    `  project       “${project.title}” (${project.id})`,
    `  state         ${project.status}, ${project.total_submissions} entries, until ${project.auto_select_deadline}`,
    `  prize         ${usdcNumber(project.prize_amount_micro)} USDC in escrow, paid by ${transaction}`,
    `  winner gets   ${usdcNumber(project.winner_receives_micro)} USDC`,
  ].join('\n');
}

/** The books, checked now against themselves and the chain. */
export async function ledgerState(api: Api): Promise<string> {
  const { data } = await api.call(operations.getLedger);
  return [
    `  ledger        ${data.balanced ? 'balanced' : 'NOT BALANCED'}, ${data.chain_matches ? 'matches the chain' : 'DOES NOT MATCH THE CHAIN'} at block ${data.block}, ${data.unknown_payments} payments of unknown outcome`,
    ...data.problems.map((problem) => `                ${problem}`),
  ].join('\n');
}
