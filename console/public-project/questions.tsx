import { api } from '../api/public.ts';
import { ErrorState } from '../components/public.ts';
import { questions as text } from '../messages/public.ts';
import { QuestionList, usePagedQuestions } from '../questions/public.ts';
import type { PublicProject } from './project-data.ts';

const EVERY_MS = 30_000;
const ROUTE = 'GET /projects/{project_id}/questions';

/** The questions that everyone sees. A project without questions says how to ask while it is open. */
export function Questions({ project: { id, status } }: { project: Pick<PublicProject, 'id' | 'status'> }) {
  const { query, first, questions } = usePagedQuestions(
    [ROUTE, id],
    (cursor, signal) => api.call(ROUTE, { params: { project_id: id }, query: cursor ? { cursor } : {}, signal }),
    status === 'open' ? EVERY_MS : false,
  );
  const isEmpty = first !== undefined && questions.length === 0;
  // The section is the last one, so nothing moves when it appears.
  if (query.isPending || (isEmpty && status !== 'open')) return null;
  return (
    <section className="stack" aria-labelledby="questions">
      <h2 id="questions">{text.title}</h2>
      {first === undefined ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {isEmpty ? (
        <p className="soft">
          {text.none}
          <br />
          {text.noneText}
        </p>
      ) : null}
      {questions.length > 0 ? (
        <>
          <p className="soft">{text.lead}</p>
          <QuestionList
            label={text.title}
            questions={questions}
            onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
            isLoading={query.isFetchingNextPage}
          />
        </>
      ) : null}
    </section>
  );
}
