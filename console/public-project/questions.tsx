import { useInfiniteQuery } from '@tanstack/react-query';
import { apiPages } from '../api/public.ts';
import { NoData } from '../components/public.ts';
import { questions as text } from '../messages/public.ts';
import { QuestionList } from '../questions/public.ts';
import type { PublicProject } from './project-data.ts';

const EVERY_MS = 30_000;
const ROUTE = 'GET /projects/{project_id}/questions';

/** The questions that everyone sees. A project without questions says how to ask while it is open. */
export function Questions({ project: { id, status } }: { project: Pick<PublicProject, 'id' | 'status'> }) {
  const everyMs = status === 'open' ? EVERY_MS : undefined;
  const query = useInfiniteQuery(apiPages(ROUTE, { params: { project_id: id } }, { everyMs }));
  const questions = query.data?.pages.flatMap((page) => page.questions);
  const isEmpty = questions?.length === 0;
  // The section is the last one, so nothing moves when it appears.
  if (query.isPending || (isEmpty && status !== 'open')) return null;
  return (
    <section className="stack" aria-labelledby="questions">
      <h2 id="questions">{text.title}</h2>
      {questions ? null : <NoData of={query} />}
      {isEmpty ? (
        <p className="soft">
          {text.none}
          <br />
          {text.noneText}
        </p>
      ) : null}
      {questions && !isEmpty ? (
        <>
          <p className="soft">{text.lead}</p>
          <QuestionList label={text.title} questions={questions} of={query} />
        </>
      ) : null}
    </section>
  );
}
