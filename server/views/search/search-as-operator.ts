import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { operatorSearchOperations } from '../../../contract/operator/search.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { allProjects } from '../operator/public.ts';
import {
  findByAddress,
  findByHash,
  findByIds,
  findByName,
  findByTransaction,
  findProjects,
  type FoundRow,
} from './search-queries.ts';

type Operation = typeof operatorSearchOperations.searchAsOperator;

const TRANSACTION = /^0x[0-9a-f]{64}$/;
const HASH = /^(?:sha256:)?([0-9a-f]{64})$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
// Fewer than 8 digits are read as a name. An id starts with its time; 8 digits are about a minute.
const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]*$/;
const ID_DIGITS = 32;
const MOST = 10;

/** Finds everything that an id, a wallet address, a transaction, a hash, or a name leads to. */
export async function searchAsOperator(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const rows = await find(ctx, query.q);
  // A payment to the searched wallet from the searched wallet is found twice.
  const once = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
  return { results: [...once.values()].toSorted((a, b) => Number(b.createdAt) - Number(a.createdAt)).map(shown) };
}

async function find({ views, network }: Context<OperatorCaller>, text: string): Promise<FoundRow[]> {
  const lower = text.toLowerCase();
  if (TRANSACTION.test(lower)) return await findByTransaction(views, { network: network.id, txHash: lower });
  if (ADDRESS.test(lower))
    return await findByAddress(views, {
      network: network.id,
      asset: network.usdc.address.toLowerCase(),
      address: lower,
    });
  const [, sha256] = HASH.exec(lower) ?? [];
  if (sha256 !== undefined) return await findByHash(views, sha256);
  const digits = lower.replaceAll('-', '');
  if (ID_PREFIX.test(lower) && digits.length <= ID_DIGITS)
    return await findByIds(views, { from: digits.padEnd(ID_DIGITS, '0'), to: digits.padEnd(ID_DIGITS, 'f') });
  const wanted = { status: undefined, posterId: undefined, search: text };
  const [named, projects] = await Promise.all([
    findByName(views, text),
    allProjects(views, wanted, { after: null, limit: MOST }),
  ]);
  const ids = projects.map(({ id }) => id);
  return [...named, ...(ids.length === 0 ? [] : await findProjects(views, ids))];
}

function shown(row: FoundRow): Output<Operation>['results'][number] {
  return {
    kind: row.kind,
    id: row.id,
    name: row.name,
    project_id: row.projectId,
    money_kind: row.moneyKind,
    state: row.state,
    amount_micro: row.amountMicro,
    tx_hash: row.txHash,
    created_at: row.createdAt,
  };
}
