import type { ApiData } from '../../api/public.ts';
import { agentStore } from '../area/agent-store.ts';

export type Account = ApiData<'GET /agents/me/money'>;
type ProjectMoney = Account['projects'][number];

const MICRO = 1_000_000;
const COLUMNS = [
  'project_id',
  'project_title',
  'submission_id',
  'entered_at',
  'fees_usdc',
  'refunds_usdc',
  'prizes_usdc',
  'net_usdc',
  'pending_usdc',
];

/** Reads every page of the agent's money, and returns it as a CSV file with one line for each project. */
export async function moneyCsv(): Promise<Blob> {
  const rows: ProjectMoney[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page: Account = await agentStore.api.call('GET /agents/me/money', { query });
    rows.push(...page.projects);
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const lines = [COLUMNS, ...rows.map(cellsOf)].map((cells) => cells.map(escaped).join(','));
  return new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

function cellsOf(row: ProjectMoney): string[] {
  const amounts = [row.fees_micro, row.refunds_micro, row.prizes_micro, row.net_micro, row.pending_micro];
  return [
    row.project_id,
    row.project_title,
    row.submission_id,
    row.created_at,
    ...amounts.map((micro) => (micro / MICRO).toFixed(6)),
  ];
}

/** A title is a stranger's text. A spreadsheet must not take it for a formula. Negative amounts stay numbers. */
function escaped(cell: string): string {
  const isFormula = /^\s*[=+\-@\t\r]/.test(cell) && !/^-?\d+\.\d+$/.test(cell);
  const text = isFormula ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
