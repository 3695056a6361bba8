import { draftBody } from '../contract/projects/brief.ts';
import { type Opening, canonicalTerms, openingTerms } from '../server/projects/terms/project-terms.ts';

// The terms of seeded projects: the text that the service would have frozen, with the values of each row.

const DAY_MS = 86_400_000;
const GRACE_SECONDS = 30;
/** Values that occur once in the text, each with the SQL of the value that replaces it. Columns are those of `projects`. */
const PROJECT = '01a1fd79-0000-7000-8000-000000000000';
const [PRIZE, FEE, RECEIVES, SHARE_CAP] = [811_111_111, 822_222_222, 833_333_333, 844_444_444];
const DEADLINE = new Date('2026-05-05T05:05:05.005Z');
const LATEST = new Date(DEADLINE.getTime() + DAY_MS);
const RECEIVES_SQL = 'prize_micro - prize_micro * platform_fee_ppm / 1000000';
const isoSql = (time: string) => `to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export type Payment = { network: string; asset: string; payTo: string };

/** Returns the SQL of the canonical terms of a row with the columns of `projects`. */
function termsSql({ network, asset, payTo }: Payment): string {
  const opening: Opening = {
    projectId: PROJECT,
    brief: {
      ...draftBody.parse({
        title: 'A title',
        description: 'A description of a brief',
        prize_amount: 1,
        entry_fee: 0,
        specializations: ['logo-design'],
        auto_select_deadline: DEADLINE.toISOString(),
      }),
      prize_amount: PRIZE,
      entry_fee: FEE,
    },
    platformFeePpm: 50_000,
    winnerReceivesMicro: RECEIVES,
    network,
    asset,
    payTo,
    referenceSha256s: [],
    latestDeadline: LATEST,
    rules: {
      closeNoticeSeconds: 900,
      placeHoldSeconds: 1_800,
      confirmGraceSeconds: GRACE_SECONDS,
      extensionSeconds: 86_400,
      shareCapMicro: SHARE_CAP,
      holdSeconds: 86_400,
      aiJudge: true,
    },
  };
  const terms = openingTerms(opening);
  const { canonical } = canonicalTerms(terms);
  const values: [placeholder: string, sql: string][] = [
    [PROJECT, 'id::text'],
    [terms.brief_sha256, `encode(sha256(convert_to(description, 'UTF8')), 'hex')`],
    [`${PRIZE}`, 'prize_micro::text'],
    [`${FEE}`, 'entry_fee_micro::text'],
    [`${RECEIVES}`, `(${RECEIVES_SQL})::text`],
    [`${SHARE_CAP}`, '(entry_fee_micro * 10)::text'],
    [DEADLINE.toISOString(), isoSql('auto_select_deadline')],
    [LATEST.toISOString(), isoSql(`auto_select_deadline + interval '1 day'`)],
  ];
  return values.reduce((sql, [placeholder, value]) => {
    if (canonical.split(placeholder).length !== 2) throw new Error(`${placeholder} is not once in the terms`);
    return `replace(${sql}, '${placeholder}', ${value})`;
  }, `'${canonical}'`);
}

/** The columns of a project with terms, and their values. */
export function termsColumns(payment: Payment): { names: string; values: string } {
  return {
    names: 'licence, terms_version, terms_hash, confirm_grace_seconds, latest_deadline',
    values: `'assignment', 1, ${hashOf(termsSql(payment))}, ${GRACE_SECONDS}, auto_select_deadline + interval '1 day'`,
  };
}

/** Returns the statement that loads the texts of the terms of all projects. */
export function termsStatement(payment: Payment): string {
  return `
    insert into project_terms (project_id, version, canonical, hash, reason, created_at)
    select id, 1, ${termsSql(payment)}, terms_hash, 'opened', published_at from projects`;
}

function hashOf(text: string): string {
  return `'sha256:' || encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
}
