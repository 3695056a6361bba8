import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { ErrorState, Loading } from '../../components/feedback/public.ts';
import { Page, SideLayout } from '../../components/layout/public.ts';
import { poster } from '../../messages/public.ts';
import { Breadcrumb, type OwnProject, ownProjectRoute, ownQuery, SessionGate } from '../account/public.ts';
import { DraftForm } from './draft-form.tsx';
import { DraftPreview } from './draft-preview.tsx';
import { DraftSide } from './draft-side.tsx';
import { useDraft } from './use-draft.ts';

const text = poster.draft;

export function DraftPage() {
  return <SessionGate>{({ poster: { id } }) => <DraftOf key={id} posterId={id} />}</SessionGate>;
}

/** The first save of a new draft keeps the form mounted. Another draft gets a new form. */
function DraftOf({ posterId }: { posterId: string }) {
  const { id }: { id?: string } = useSearch({ strict: false });
  const [created, setCreated] = useState({ id: '', count: 0 });
  const navigate = useNavigate();
  const onCreated = useCallback(
    (project: OwnProject) => {
      setCreated(({ count }) => ({ id: project.id, count: count + 1 }));
      void navigate({ to: '/poster/draft', search: { id: project.id }, replace: true, resetScroll: false });
    },
    [navigate],
  );
  const key = id === undefined ? `new ${created.count}` : created.id === id ? `new ${created.count - 1}` : id;
  return <Loaded key={key} posterId={posterId} id={id ?? null} onCreated={onCreated} />;
}

type LoadedProps = { posterId: string; id: string | null; onCreated: (project: OwnProject) => void };

function Loaded({ posterId, id, onCreated }: LoadedProps) {
  const query = ownQuery(posterId, ownProjectRoute, { params: { project_id: id ?? '' } });
  const result = useQuery({ ...query, enabled: id !== null });
  const project = id === null ? null : result.data?.project;
  if (project === null || project?.status === 'draft')
    return <Editor posterId={posterId} project={project} onCreated={onCreated} />;
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

type EditorProps = { posterId: string; project: OwnProject | null; onCreated: (project: OwnProject) => void };

function Editor({ posterId, project, onCreated }: EditorProps) {
  const draft = useDraft(posterId, project, onCreated);
  const [paying, setPaying] = useState(false);
  return (
    <Page title={project?.title ?? text.new} lead={text.lead} above={<Breadcrumb />}>
      <SideLayout
        label={text.side}
        side={<DraftSide posterId={posterId} draft={draft} project={project} paying={paying} onPaying={setPaying} />}
      >
        <DraftForm draft={draft} fixed={paying} />
        <DraftPreview values={draft.values} />
      </SideLayout>
    </Page>
  );
}
