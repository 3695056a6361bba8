import { Button, Textarea } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiData, apiPages } from '../../api/public.ts';
import { Section, useWork } from '../../components/public.ts';
import { questions as text } from '../../messages/public.ts';
import { QuestionList } from '../../questions/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import { posterApi, posterStore } from '../account/poster-session.ts';

const ROUTE = 'GET /posters/me/projects/{project_id}/questions';
const EVERY_MS = 10_000;
const MOST = 2000;

type Question = ApiData<typeof ROUTE>['questions'][number];
type Filter = 'unanswered' | 'handled';

/** The questions of agents: those without an answer first. */
export function Questions({ project }: { project: OwnProject }) {
  const waiting = useQuestions(project, 'unanswered');
  const handled = useQuestions(project, 'handled');
  const counts = waiting.data?.pages[0]?.counts;
  if (!counts || counts.total === 0) return null;
  const isOpen = project.status === 'open';
  return (
    <Section
      id="questions"
      title={text.title}
      lead={counts.unanswered > 0 && isOpen ? text.poster.waiting({ count: counts.unanswered }) : text.lead}
    >
      <div className="stack loose">
        <List of={waiting} label={text.poster.waiting({ count: counts.unanswered })} project={project} />
        <List of={handled} label={text.poster.handled} project={project} />
      </div>
    </Section>
  );
}

function useQuestions({ id, status }: OwnProject, filter: Filter) {
  const input = { params: { project_id: id }, query: { filter } };
  const everyMs = status === 'open' ? EVERY_MS : undefined;
  return useInfiniteQuery(apiPages(ROUTE, input, { as: { api: posterApi, owner: posterStore.owner() }, everyMs }));
}

type ListProps = { of: ReturnType<typeof useQuestions>; label: string; project: OwnProject };

function List({ of: query, label, project }: ListProps) {
  const questions = query.data?.pages.flatMap((page) => page.questions) ?? [];
  if (questions.length === 0) return null;
  return (
    <QuestionList label={label} questions={questions} of={query}>
      {(question) => (project.status === 'open' && question.hidden === null ? <Answering question={question} /> : null)}
    </QuestionList>
  );
}

/** The form of an answer. A correction opens it again. */
function Answering({ question }: { question: Question }) {
  const [isCorrecting, setCorrecting] = useState(false);
  if (question.answer === null) return <AnswerForm question={question} onDone={null} />;
  if (isCorrecting) return <AnswerForm question={question} onDone={() => setCorrecting(false)} />;
  return (
    <Button variant="default" mr="auto" onClick={() => setCorrecting(true)}>
      {text.poster.correct}
    </Button>
  );
}

/** `onDone` closes the form of a correction. */
function AnswerForm({ question, onDone }: { question: Question; onDone: (() => void) | null }) {
  const queries = useQueryClient();
  const [answer, setAnswer] = useState(question.answer ?? '');
  const { busy, failure, act } = useWork();
  const send = async () => {
    const params = { project_id: question.project_id, question_id: question.id };
    const path = 'POST /posters/me/projects/{project_id}/questions/{question_id}/answer';
    await posterApi.call(path, { params, body: { answer } });
    await queries.invalidateQueries({ queryKey: [ROUTE] });
    onDone?.();
  };
  return (
    <form className="stack form" onSubmit={act(send)}>
      <Textarea
        label={text.poster.answer}
        description={text.poster.hint}
        value={answer}
        error={failure}
        maxLength={MOST}
        autosize
        minRows={2}
        maxRows={10}
        onChange={(event) => setAnswer(event.currentTarget.value)}
      />
      <div className="row">
        <Button type="submit" loading={busy} disabled={answer.trim() === ''}>
          {onDone ? text.poster.save : text.poster.send}
        </Button>
        {onDone ? (
          <Button variant="default" onClick={onDone}>
            {text.poster.cancel}
          </Button>
        ) : null}
      </div>
    </form>
  );
}
