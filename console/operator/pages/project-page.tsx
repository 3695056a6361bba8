import {
  Facts,
  Banner,
  Columns,
  Section,
  Badge,
  CopyText,
  Money,
  StatusBadge,
  TimeLeft,
} from '../../components/public.ts';
import { timeOf } from '../../format/public.ts';
import { agent, operator, questions as questionText } from '../../messages/public.ts';
import { QuestionList } from '../../questions/public.ts';
import { useParam } from '../../shell/public.ts';
import { Specializations } from '../../signed-in/public.ts';
import { type Act, ActButtons, type Ask, withReason } from '../area/acts.tsx';
import { LIST_MS, useApiQuery } from '../area/operator-store.ts';
import { PageLink } from '../area/links.tsx';
import { Entries } from './entries.tsx';
import { Links } from './links.tsx';
import classes from './pages.module.css';
import { actsOn, actsOnEntry, type Project } from './project-acts.tsx';
import { RecordPage } from './record-page.tsx';

const text = operator.project;

export function ProjectPage() {
  const projectId = useParam('projectId');
  const query = useApiQuery('GET /operator/projects/{project_id}', { params: { project_id: projectId } }, LIST_MS);
  return (
    <RecordPage
      query={query}
      list={{ to: '/operator/projects', title: operator.projects.title, back: text.back }}
      head={({ project }) => ({
        title: project.title,
        badge: <StatusBadge status={project.status} />,
        acts: actsOn(project),
      })}
    >
      {({ project }, ask) => <Detail of={project} ask={ask} />}
    </RecordPage>
  );
}

function Detail({ of: project, ask }: { of: Project; ask: Ask }) {
  const { id, published_at: publishedAt } = project;
  const isPublished = publishedAt !== null;
  return (
    <>
      <ResultOnHold of={project} />
      <Columns>
        <Section title={text.brief}>
          <p className="words">{project.description}</p>
          {project.requirements === '' ? null : (
            <>
              <h3 className="sub">{text.requirements}</h3>
              <p className="words">{project.requirements}</p>
            </>
          )}
          <Links
            links={[
              ...(isPublished ? [{ to: `/projects/${id}`, label: text.links.public }] : []),
              { to: '/operator/money', search: { project_id: id }, label: operator.payments.title },
              { to: '/operator/money/payouts', search: { project_id: id }, label: text.links.payouts },
              { to: '/operator/deliveries', search: { project_id: id }, label: operator.deliveries.title },
              { to: '/operator/audit', search: { subject: `project:${id}` }, label: text.links.audit },
            ]}
          />
        </Section>
        <Facts facts={factsOf(project)} />
      </Columns>
      {isPublished ? (
        <>
          <Section title={text.entries({ amount: project.total_submissions })}>
            <Entries of={{ project_id: id }} ask={ask}>
              {(entry) => <EntryState project={project} entry={entry} ask={ask} />}
            </Entries>
          </Section>
          <Questions of={project} ask={ask} />
        </>
      ) : null}
    </>
  );
}

type EntryStateProps = { project: Project; entry: Parameters<typeof actsOnEntry>[1]; ask: Ask };

/** Whether the entry leads, and the acts on it. */
function EntryState({ project, entry, ask }: EntryStateProps) {
  const leads = entry.outcome === null && entry.id === project.result_on_hold?.winner_submission_id;
  return (
    <div className={`row ${classes.buttons}`}>
      {leads ? <Badge tone="warn">{text.leading}</Badge> : null}
      <ActButtons acts={actsOnEntry(project, entry)} ask={ask} />
    </div>
  );
}

/** Says which result is on hold, and when it is paid. */
function ResultOnHold({ of: { result_on_hold: result, hold_reason: why } }: { of: Project }) {
  if (result === null) return null;
  const { selection, pay_after: until } = result;
  const held = why === null ? text.onHold.byService : text.onHold.byOperator({ why });
  return (
    <Banner tone="warn" title={text.onHold.title}>
      <p>
        {text.onHold[selection]}
        {until === null ? held : text.onHold.until({ at: timeOf(until) })}
      </p>
    </Banner>
  );
}

/** The newest questions about a project. The operator hides a question from the public, or shows it again. */
function Questions({ of: { questions }, ask }: { of: Project; ask: Ask }) {
  const words = questionText.operator;
  return (
    <Section title={questionText.title}>
      {questions.length === 0 ? <p className="soft">{words.empty.title}</p> : null}
      <QuestionList label={questionText.title} questions={questions}>
        {(question) => <ActButtons acts={[visibilityAct(question)]} ask={ask} />}
      </QuestionList>
    </Section>
  );
}

function visibilityAct({ id, hidden }: Project['questions'][number]): Act {
  const words = questionText.operator;
  const isHiding = hidden === null;
  return {
    title: isHiding ? words.hideTitle : words.showTitle,
    text: isHiding ? words.hideText : words.showText,
    confirm: isHiding ? words.hide : words.show,
    reason: isHiding ? words.hideReason : words.showReason,
    run: withReason('POST /operator/questions/{question_id}/visibility', { question_id: id }, () => ({
      hidden: isHiding,
    })),
  };
}

function factsOf(project: Project) {
  const { facts } = text;
  const { payout_status: payout, cancelled_by: canceller, cancel_reason: reason } = project;
  const isOpen = project.status === 'open';
  const when = (label: string, at: string | null) => ({ label, value: at && timeOf(at) });
  return [
    { label: facts.id, value: <CopyText value={project.id} what={text.id} /> },
    {
      label: facts.poster,
      value: <PageLink kind="poster" id={project.poster.id} name={project.poster.name} />,
    },
    { label: facts.prize, value: <Money micro={project.prize_micro} /> },
    { label: facts.fee, value: <Money micro={project.entry_fee_micro} /> },
    { label: facts.specializations, value: <Specializations ids={project.specializations} /> },
    when(facts.drafted, project.created_at),
    when(facts.published, project.published_at),
    {
      label: isOpen ? facts.closes : facts.closed,
      value: isOpen ? (
        <TimeLeft until={project.closes_at ?? project.auto_select_deadline} />
      ) : (
        timeOf(project.closed_at ?? project.cancelled_at ?? project.auto_select_deadline)
      ),
    },
    when(facts.announced, isOpen ? project.closes_at : null),
    when(facts.latest, isOpen ? project.latest_deadline : null),
    when(facts.decided, project.judging_ends_at),
    when(facts.held, project.result_on_hold?.pay_after ?? null),
    when(facts.awarded, project.awarded_at),
    when(facts.completed, project.completed_at),
    { label: facts.payout, value: payout && agent.history.payouts[payout] },
    when(facts.cancelled, project.cancelled_at),
    { label: facts.cancelledBy, value: canceller && text.cancellers[canceller] },
    // The service records its own reason as a code.
    { label: facts.reason, value: reason === 'silence' ? text.silence : reason },
  ];
}
