import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, CloudOff, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import { parseUsdc } from '../../../contract/basics/money.ts';
import { ConfirmDialog } from '../../components/feedback/public.ts';
import { Panel } from '../../components/layout/public.ts';
import { Money } from '../../components/values/public.ts';
import { count, share } from '../../format/public.ts';
import { poster, posterBrief } from '../../messages/public.ts';
import { type OwnProject, ownQuery, posterApi, removeItem } from '../account/public.ts';
import { namesOf } from './draft-names.ts';
import classes from './draft-page.module.css';
import { bodyValue } from './draft-values.ts';
import { PublishLine } from './publish-line.tsx';
import { PublishPath } from './publish-path.tsx';
import { PublishPanel } from './publish-panel.tsx';
import type { Draft, SaveState } from './use-draft.ts';

const text = poster.save;

type DraftSideProps = {
  posterId: string;
  draft: Draft;
  project: OwnProject | null;
  paying: boolean;
  onPaying: (paying: boolean) => void;
};

export function DraftSide({ posterId, draft, project, paying, onPaying }: DraftSideProps) {
  return (
    <>
      <div className={classes.dock}>
        <Saved draft={draft} />
        <PublishLine draft={draft} />
      </div>
      <Costs draft={draft} project={project} />
      {project ? (
        <PublishPanel posterId={posterId} draft={draft} project={project} onPaying={onPaying} />
      ) : (
        <PublishPath draft={draft} />
      )}
      {project ? <Estimate project={project} /> : null}
      {project && !paying ? <DeleteDraft posterId={posterId} project={project} /> : null}
    </>
  );
}

const ICONS = {
  saved: CircleCheck,
  saving: LoaderCircle,
  waiting: LoaderCircle,
  offline: CloudOff,
  incomplete: CircleAlert,
  invalid: CircleAlert,
  failed: CircleAlert,
  deleted: CircleAlert,
};

function Saved({ draft: { state, recreate } }: { draft: Draft }) {
  const Icon = ICONS[state.kind];
  return (
    <p role="status" className={classes.saved} data-kind={state.kind}>
      <Icon size={18} aria-hidden="true" />
      <span>
        {describeSave(state)}{' '}
        {state.kind === 'deleted' ? (
          <button type="button" className={classes.recreate} onClick={recreate}>
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

function Costs({ draft, project }: { draft: Draft; project: OwnProject | null }) {
  const cost = poster.cost;
  const prize = parseUsdc(String(bodyValue(draft.values, 'prize_amount')));
  const fee = parseUsdc(String(bodyValue(draft.values, 'entry_fee')));
  const rate = project?.platform_fee_rate ?? null;
  // Rounds like the service: down to one micro-USDC.
  const winner = prize === null || rate === null ? null : prize - Math.ceil((prize * Math.round(rate * 1e6)) / 1e6);
  return (
    <Panel id="costs" title={cost.title}>
      <dl className={classes.costs}>
        <div className={classes.total}>
          <dt>{cost.prize}</dt>
          <dd>{prize === null ? '–' : <Money micro={prize} />}</dd>
        </div>
        {prize !== null && winner !== null && rate !== null ? (
          <>
            <div>
              <dt>{cost.platform({ percent: share(rate) })}</dt>
              <dd>
                <Money micro={prize - winner} />
              </dd>
            </div>
            <div>
              <dt>{cost.winner}</dt>
              <dd>
                <Money micro={winner} />
              </dd>
            </div>
          </>
        ) : null}
        <div>
          <dt>{cost.fee}</dt>
          <dd>{fee === null ? '–' : fee === 0 ? cost.free : <Money micro={fee} />}</dd>
        </div>
      </dl>
      <p className={classes.note}>{project ? cost.note : cost.rateLater}</p>
    </Panel>
  );
}

function Estimate({ project: { ai_analysis: estimate } }: { project: OwnProject }) {
  const words = posterBrief.estimate;
  return (
    <Panel id="estimate" title={words.title}>
      <p>{words.text({ complexity: count(estimate.complexity_score), hours: count(estimate.estimated_hours) })}</p>
      <p className={classes.note}>{words.note}</p>
    </Panel>
  );
}

function DeleteDraft({ posterId, project }: { posterId: string; project: OwnProject }) {
  const [opened, setOpened] = useState(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  async function remove() {
    const params = { project_id: project.id };
    await posterApi.call('DELETE /posters/me/projects/{project_id}', { params });
    removeItem(`draft:${posterId}:${project.id}`);
    await queries.invalidateQueries({ queryKey: [ownQuery(posterId, 'GET /posters/me/projects', {}).queryKey[0]] });
    await navigate({ to: '/poster' });
  }
  return (
    <>
      <button type="button" className={classes.delete} onClick={() => setOpened(true)}>
        {poster.draft.delete}
      </button>
      <ConfirmDialog
        opened={opened}
        title={poster.draft.deleteTitle}
        confirm={poster.draft.delete}
        destructive
        onConfirm={remove}
        onClose={() => setOpened(false)}
      >
        <p>{poster.draft.deleteText}</p>
      </ConfirmDialog>
    </>
  );
}
