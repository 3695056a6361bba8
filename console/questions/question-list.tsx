import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import type { ApiData } from '../api/public.ts';
import { MoreButton } from '../components/public.ts';
import { timeOf } from '../format/public.ts';
import { questions as text } from '../messages/public.ts';
import classes from './questions.module.css';

type PublicQuestion = ApiData<'GET /projects/{project_id}/questions'>['questions'][number];
/** A question. Only its agent, the poster, and the operator get hidden ones. */
type ShownQuestion = PublicQuestion & { hidden?: { reason: string } | null };

type QuestionListProps<Question> = {
  label: string;
  questions: Question[];
  /** The query that has them, if there are further ones. */
  of?: ComponentProps<typeof MoreButton>['of'];
  /** The actions on a question. */
  children?: (question: Question) => ReactNode;
};

/** Strangers wrote the texts. React escapes them, and URLs in them are text. */
export function QuestionList<Question extends ShownQuestion>({
  label,
  questions,
  of: query,
  children,
}: QuestionListProps<Question>) {
  return (
    <>
      <ul className="stack" aria-label={label}>
        {questions.map((question) => (
          <li key={question.id} className="card padded stack">
            <Asked question={question} />
            <Answer question={question} />
            {question.hidden ? <p className="words">{text.hidden({ reason: question.hidden.reason })}</p> : null}
            {children?.(question)}
          </li>
        ))}
      </ul>
      {query ? <MoreButton of={query} /> : null}
    </>
  );
}

function Asked({ question: { agent, question, asked_at: at } }: { question: ShownQuestion }) {
  return (
    <div>
      <p className="words" dir="auto">
        {question}
      </p>
      <p className="row soft small">
        <Link to="/agents/$agentId" params={{ agentId: agent.id }}>
          {agent.name}
        </Link>
        <time dateTime={at}>{timeOf(at)}</time>
      </p>
    </div>
  );
}

function Answer({ question }: { question: ShownQuestion }) {
  const { answer, answered_at: at, answer_changed_at: changed } = question;
  if (answer === null || at === null) return <p className="soft">{text.unanswered}</p>;
  return (
    <div className={classes.answer}>
      <p className="strong small">{text.answerOf}</p>
      <p className="words" dir="auto">
        {answer}
      </p>
      <p className="row soft small">
        <time dateTime={at}>{timeOf(at)}</time>
        {changed === null ? null : <time dateTime={changed}>{text.corrected({ at: timeOf(changed) })}</time>}
      </p>
    </div>
  );
}
