import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, CloudOff, LoaderCircle } from 'lucide-react';
import { parseUsdc } from '../../../contract/basics/money.ts';
import { Panel, PanelFacts, Money } from '../../components/public.ts';
import { share } from '../../format/public.ts';
import { poster, posterBrief } from '../../messages/public.ts';
import { useAction } from '../../signed-in/public.ts';
import { type OwnProject, useRefresh } from '../account/own-projects.ts';
import { posterApi } from '../account/poster-session.ts';
import classes from './draft-page.module.css';
import { bodyValue, type DraftSearch, FIELDS, type DraftField } from './draft-values.ts';
import { unreplaced } from './examples.ts';
import { briefOf, type Draft, forgetDraft, type SaveState } from './use-draft.ts';

const text = poster.save;
/** The longest brief in a link, in characters of the address: a Chinese one takes 9. The service refuses 16 KB. */
const LONGEST_LINK = 8_000;

type DraftSideProps = { draft: Draft; project: OwnProject | null };

/** The state of the draft, its missing fields, and the way to the review. In narrow windows, a line at the end of the screen. */
export function DraftSide({ draft, project }: DraftSideProps) {
  return (
    <>
      <div className={classes.dock}>
        <Saved draft={draft} />
        <div className={classes.line}>
          <ReviewButton draft={draft} />
        </div>
      </div>
      <Costs draft={draft} project={project} />
      <Panel id="publish" title={poster.publish.title}>
        <Needs draft={draft} />
        <ReviewButton draft={draft} />
      </Panel>
      {project ? <DeleteDraft project={project} /> : null}
    </>
  );
}

/** A payment presents the stored brief, so everything must be saved. A visitor has nothing to save yet. */
export function isReady({ values, flaws, state }: Draft): boolean {
  return Object.keys(flaws).length === 0 && unreplaced(values).length === 0 && ['saved', 'here'].includes(state.kind);
}

function ReviewButton({ draft }: { draft: Draft }) {
  const navigate = useNavigate();
  const { values, state } = draft;
  // A visitor's link carries the brief, so that it can go on in the browser of a wallet app.
  const isShort = state.kind === 'here' && encodeURIComponent(JSON.stringify(values)).length < LONGEST_LINK;
  return (
    <Button
      fullWidth
      disabled={!isReady(draft)}
      onClick={() => {
        const brief = isShort ? briefOf(values) : undefined;
        void navigate({
          to: '/poster/draft',
          search: (before: DraftSearch) => ({ ...before, step: 'review', brief }),
        });
      }}
    >
      {posterBrief.path.review}
    </Button>
  );
}

function Needs({ draft: { values, flaws } }: { draft: Draft }) {
  const path = posterBrief.path;
  const missing = FIELDS.filter((field) => flaws[field]);
  const left = unreplaced(values);
  return (
    <div role="status">
      {missing.length > 0 ? <p>{path.missing({ fields: namesOf(missing) })}</p> : null}
      {left.length > 0 ? <p>{path.unreplaced({ fields: namesOf(left) })}</p> : null}
      {missing.length + left.length === 0 ? <p>{path.ready}</p> : null}
    </div>
  );
}

const LOOKS = {
  saved: [CircleCheck, 'good'],
  saving: [LoaderCircle, 'quiet'],
  waiting: [LoaderCircle, 'quiet'],
  offline: [CloudOff, 'warn'],
  incomplete: [CircleAlert, 'quiet'],
  invalid: [CircleAlert, 'warn'],
  failed: [CircleAlert, 'bad'],
  deleted: [CircleAlert, 'bad'],
  here: [CircleCheck, 'quiet'],
} as const;

function Saved({ draft: { state, recreate } }: { draft: Draft }) {
  const [Icon, tone] = LOOKS[state.kind];
  return (
    <p role="status" className={`toned ${classes.saved}`} data-tone={tone}>
      <Icon size={18} aria-hidden="true" />
      <span>
        {describeSave(state)}{' '}
        {state.kind === 'deleted' ? (
          <button type="button" className="plain" onClick={recreate}>
            {text.recreate}
          </button>
        ) : null}
      </span>
    </p>
  );
}

function describeSave(state: SaveState): string {
  if (state.kind === 'failed') return text.failed({ why: state.why });
  if (state.kind === 'incomplete' || state.kind === 'invalid')
    return text[state.kind]({ fields: namesOf(state.fields) });
  return text[state.kind];
}

export function Costs({ draft, project }: DraftSideProps) {
  const cost = poster.cost;
  const prize = parseUsdc(String(bodyValue(draft.values, 'prize_amount')));
  const fee = parseUsdc(String(bodyValue(draft.values, 'entry_fee')));
  const rate = project?.platform_fee_rate ?? null;
  // Rounds like the service: down to one micro-USDC.
  const winner = prize === null || rate === null ? null : prize - Math.ceil((prize * Math.round(rate * 1e6)) / 1e6);
  const amount = (micro: number | null) => (micro === null ? null : <Money micro={micro} />);
  return (
    <Panel id="costs" title={cost.title}>
      <PanelFacts
        facts={[
          [cost.prize, <strong key="prize">{prize === null ? '–' : <Money micro={prize} />}</strong>],
          [
            cost.platform({ percent: share(rate ?? 0) }),
            amount(prize === null || winner === null ? null : prize - winner),
          ],
          [cost.winner, amount(winner)],
          [cost.fee, fee === null ? '–' : fee === 0 ? cost.free : <Money key="fee" micro={fee} />],
        ]}
      />
      <p className="soft small">{project ? cost.note : cost.rateLater}</p>
    </Panel>
  );
}

function DeleteDraft({ project }: { project: OwnProject }) {
  const { ask, dialog } = useAction();
  const navigate = useNavigate();
  const refresh = useRefresh('GET /posters/me/projects');
  async function run() {
    const params = { project_id: project.id };
    await posterApi.call('DELETE /posters/me/projects/{project_id}', { params });
    forgetDraft(project);
    await refresh();
    await navigate({ to: '/poster' });
  }
  const words = poster.draft;
  return (
    <>
      <button
        type="button"
        className={`plain ${classes.delete}`}
        onClick={() =>
          ask({ title: words.deleteTitle, text: words.deleteText, confirm: words.delete, destructive: true, run })
        }
      >
        {words.delete}
      </button>
      {dialog}
    </>
  );
}

function namesOf(fields: DraftField[]): string {
  return fields.map((field) => poster.draft.named[field]).join(', ');
}
