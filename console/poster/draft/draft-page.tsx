import { Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { ErrorState, Loading } from '../../components/feedback/public.ts';
import { Page, SideLayout } from '../../components/layout/public.ts';
import { poster, posterBrief } from '../../messages/public.ts';
import { Breadcrumb, type OwnProject, ownProjectRoute, ownQuery, SessionGate } from '../account/public.ts';
import { DraftForm } from './draft-form.tsx';
import { DraftPreview } from './draft-preview.tsx';
import { DraftSide } from './draft-side.tsx';
import { ExampleChoice } from './example-choice.tsx';
import { useDraft } from './use-draft.ts';

const text = poster.draft;

export function DraftPage() {
  return <SessionGate>{({ poster: { id } }) => <DraftOf key={id} posterId={id} />}</SessionGate>;
}

/** The first save of a new draft keeps the form mounted. Another draft gets a new form. */
function DraftOf({ posterId }: { posterId: string }) {
  const search: { id?: string; copy?: string } = useSearch({ strict: false });
  const { id } = search;
  const copy = search.copy ?? null;
  const [created, setCreated] = useState({ id: '', count: 0, copy });
  const navigate = useNavigate();
  const onCreated = useCallback(
    (project: OwnProject) => {
      setCreated(({ count }) => ({ id: project.id, count: count + 1, copy }));
      void navigate({ to: '/poster/draft', search: { id: project.id }, replace: true, resetScroll: false });
    },
    [navigate, copy],
  );
  const isCreated = id !== undefined && created.id === id;
  const source = isCreated ? created.copy : copy;
  const key =
    id === undefined ? `new ${source} ${created.count}` : isCreated ? `new ${source} ${created.count - 1}` : id;
  return <Loaded key={key} posterId={posterId} id={id ?? null} source={source} onCreated={onCreated} />;
}

type LoadedProps = {
  posterId: string;
  id: string | null;
  /** The project that a new draft duplicates. */
  source: string | null;
  onCreated: (project: OwnProject) => void;
};

function Loaded({ posterId, id, source, onCreated }: LoadedProps) {
  const query = ownQuery(posterId, ownProjectRoute, { params: { project_id: id ?? '' } });
  const own = useQuery({ ...query, enabled: id !== null });
  useRefetchOnFocus(posterId, id);
  const copied = useQuery({
    ...ownQuery(posterId, ownProjectRoute, { params: { project_id: source ?? '' } }),
    enabled: source !== null,
  });
  const project = id === null ? null : own.data?.project;
  const from = source === null ? null : copied.data?.project;
  const result = from === undefined ? copied : own;
  if (from !== undefined && (project === null || project?.status === 'draft'))
    return <Editor posterId={posterId} project={project} source={from} onCreated={onCreated} />;
  // The project was published, here or in another window.
  if (project) return <Navigate to="/poster/projects/$projectId" params={{ projectId: project.id }} replace />;
  return (
    <Page title={text.edit} above={<Breadcrumb />}>
      {result.error ? (
        <ErrorState error={result.error} onRetry={() => void result.refetch()} />
      ) : (
        <Loading>
          <Skeleton height={420} radius="lg" />
        </Loading>
      )}
    </Page>
  );
}

/** Fetches what another window saved. The query client does so only after the tab was hidden. */
function useRefetchOnFocus(posterId: string, id: string | null) {
  const queries = useQueryClient();
  useEffect(() => {
    const { queryKey } = ownQuery(posterId, ownProjectRoute, { params: { project_id: id ?? '' } });
    const refetch = () => void queries.refetchQueries({ queryKey, stale: true });
    window.addEventListener('focus', refetch);
    return () => window.removeEventListener('focus', refetch);
  }, [queries, posterId, id]);
}

type EditorProps = {
  posterId: string;
  project: OwnProject | null;
  source: OwnProject | null;
  onCreated: (project: OwnProject) => void;
};

function Editor({ posterId, project, source, onCreated }: EditorProps) {
  const draft = useDraft(posterId, project, onCreated, source);
  const [paying, setPaying] = useState(false);
  return (
    <Page
      title={project?.title ?? text.new}
      lead={source && !project ? posterBrief.copy.lead : text.lead}
      above={<Breadcrumb />}
    >
      <SideLayout
        label={text.side}
        side={<DraftSide posterId={posterId} draft={draft} project={project} paying={paying} onPaying={setPaying} />}
      >
        {source === null && !paying ? <ExampleChoice draft={draft} opened={project === null} /> : null}
        <DraftForm draft={draft} fixed={paying} posterId={posterId} projectId={project?.id ?? null} />
        <DraftPreview values={draft.values} />
      </SideLayout>
    </Page>
  );
}
