import { Button } from '@mantine/core';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { NoData, Page, SideLayout } from '../../components/public.ts';
import { poster, posterBrief } from '../../messages/public.ts';
import { Notices, notify } from '../../signed-in/public.ts';
import { Breadcrumb } from '../account/breadcrumb.tsx';
import { type OwnProject, useOwnProject } from '../account/own-projects.ts';
import { Limits } from '../account/poster-area.tsx';
import { SignInPage } from '../account/sign-in-page.tsx';
import { posterStore } from '../account/poster-session.ts';
import { DraftForm } from './draft-form.tsx';
import { DraftPreview } from './draft-preview.tsx';
import { Costs, DraftSide, isReady } from './draft-side.tsx';
import type { DraftSearch } from './draft-values.ts';
import { ExampleChoice } from './example-choice.tsx';
import { PublishPanel } from './publish-panel.tsx';
import { type Draft, takeBrief, useDraft } from './use-draft.ts';
import { hasSignedPayment } from './use-publish.ts';

const text = poster.draft;

/** A visitor writes a brief before any sign-in, and signs in to pay. */
export function DraftPage() {
  const { id, copy, brief }: DraftSearch = useSearch({ strict: false });
  const { account, isExpired, isKnown, failure } = posterStore.use();
  useState(() => takeBrief(brief));
  useEffect(() => void posterStore.resume(), []);
  useEffect(() => () => notify(null), []);
  if (!isKnown) return <Pending of={{ error: failure, refetch: posterStore.resume }} />;
  if (account && !isExpired)
    return (
      <>
        <Limits of={account} />
        <Notices />
        <DraftOf key={account.poster.id} />
      </>
    );
  if (isExpired || id !== undefined || copy !== undefined) return <SignInPage isExpired={isExpired} />;
  return <Editor project={null} source={null} onCreated={() => {}} />;
}

function Pending({ of }: Pick<Parameters<typeof NoData>[0], 'of'>) {
  return (
    <Page title={text.edit} above={<Breadcrumb />}>
      <NoData of={of} height={420} />
    </Page>
  );
}

/** The first save of a new draft keeps the form mounted. Another draft gets a new form. */
function DraftOf() {
  const search: DraftSearch = useSearch({ strict: false });
  const { id, step } = search;
  const copy = search.copy ?? null;
  const [created, setCreated] = useState({ id: '', count: 0, copy });
  const navigate = useNavigate();
  const onCreated = useCallback(
    (project: OwnProject) => {
      setCreated(({ count }) => ({ id: project.id, count: count + 1, copy }));
      const next = { id: project.id, ...(step ? { step } : {}) };
      void navigate({ to: '/poster/draft', search: next, replace: true, resetScroll: false });
    },
    [navigate, copy, step],
  );
  const isCreated = id !== undefined && created.id === id;
  const source = isCreated ? created.copy : copy;
  const key =
    id === undefined ? `new ${source} ${created.count}` : isCreated ? `new ${source} ${created.count - 1}` : id;
  return <Loaded key={key} id={id ?? null} source={source} onCreated={onCreated} />;
}

type LoadedProps = {
  id: string | null;
  /** The project that a new draft duplicates. */
  source: string | null;
  onCreated: (project: OwnProject) => void;
};

function Loaded({ id, source, onCreated }: LoadedProps) {
  const own = useOwnProject(id);
  const copied = useOwnProject(source);
  const project = id === null ? null : own.data?.project;
  const from = source === null ? null : copied.data?.project;
  if (from !== undefined && (project === null || project?.status === 'draft'))
    return <Editor project={project} source={from} onCreated={onCreated} />;
  // The project was published, here or in another window.
  if (project) return <Navigate to="/poster/projects/$projectId" params={{ projectId: project.id }} replace />;
  return <Pending of={from === undefined ? copied : own} />;
}

type EditorProps = {
  project: OwnProject | null;
  source: OwnProject | null;
  onCreated: (project: OwnProject) => void;
};

function Editor({ project, source, onCreated }: EditorProps) {
  const draft = useDraft(project, source, onCreated);
  const { step }: DraftSearch = useSearch({ strict: false });
  // A payment that was signed before goes on in the review.
  if ((step === 'review' && isReady(draft)) || (project && hasSignedPayment(project.id)))
    return <Review draft={draft} project={project} />;
  return (
    <Page
      title={project?.title ?? text.new}
      lead={source && !project ? posterBrief.copy.lead : text.lead}
      above={<Breadcrumb />}
    >
      <SideLayout label={text.side} side={<DraftSide draft={draft} project={project} />}>
        {source === null ? <ExampleChoice draft={draft} opened={project === null} /> : null}
        <DraftForm draft={draft} projectId={project?.id ?? null} />
      </SideLayout>
    </Page>
  );
}

/** The brief as agents will see it, with the sum. The wallet is asked for here. */
function Review({ draft, project }: { draft: Draft; project: OwnProject | null }) {
  const navigate = useNavigate();
  const [paying, setPaying] = useState(false);
  // Back must not show the changed brief under the address of the old one: the links to wallet apps are that address.
  const search = ({ id, copy }: DraftSearch) => ({ id, copy });
  const toForm = () => void navigate({ to: '/poster/draft', search, replace: true });
  return (
    <Page
      title={posterBrief.path.review}
      lead={text.previewHint}
      above={<Breadcrumb />}
      actions={
        paying ? null : (
          <Button variant="default" onClick={toForm}>
            {posterBrief.path.change}
          </Button>
        )
      }
    >
      <SideLayout
        label={text.side}
        side={
          <>
            <Costs draft={draft} project={project} />
            {project ? <PublishPanel project={project} onPaying={setPaying} /> : null}
            {draft.state.kind === 'here' ? <SignInPage isExpired={false} isPart /> : null}
          </>
        }
      >
        <DraftPreview values={draft.values} estimate={project?.ai_analysis ?? null} />
      </SideLayout>
    </Page>
  );
}
