import { Checkbox, NativeSelect, Radio } from '@mantine/core';
import { useState } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import { agent as agentWords, operator, operatorDesk, signedIn } from '../../messages/public.ts';
import type { Action, AgentStatus } from '../../signed-in/public.ts';
import { isoOf, UntilField } from '../accounts/public.ts';
import { type Flag, operatorStore } from '../area/public.ts';
import classes from './disputes.module.css';

export type Decision = NonNullable<Flag['decision']>;
type Choice = {
  decision: Decision | null;
  disqualify: boolean;
  status: AgentStatus | '';
  agentId: string;
  until: string;
};

const text = operatorDesk.flags;
const words = operator.flags;
const DECISIONS: Decision[] = ['dismissed', 'upheld', 'under_review'];
const STATUSES: AgentStatus[] = ['limited', 'under_review', 'suspended'];

/** One dialog for a flag: both pictures, the decision, and what follows from it. Nothing is preselected. */
export function decideAction(flag: Flag): Action {
  const choice: Choice = { decision: null, disqualify: false, status: '', agentId: flag.entry.agent.id, until: '' };
  return {
    title: text.title,
    text: (setReady) => <Fields flag={flag} choice={choice} onChosen={() => setReady(true)} />,
    confirm: words.decide,
    reason: signedIn.reason,
    run: async (reason) => await decide(flag, choice, reason),
  };
}

/**
 * The decision, then its consequences. The service does each step once, however often it is asked. So a form that failed at
 * a later step can be sent again.
 */
async function decide(flag: Flag, choice: Choice, reason: string): Promise<string> {
  const { decision, disqualify, status } = choice;
  if (decision === null) return '';
  const { api } = operatorStore;
  const until = isoOf(choice.until);
  const review = decision === 'under_review' ? { agent_id: choice.agentId, ...(until ? { until } : {}) } : {};
  await api.call('POST /operator/flags/{flag_id}/decision', {
    params: { flag_id: flag.id },
    body: { decision, reason, instead_of: flag.decision ?? 'open', ...review },
  });
  const steps: string[] = [];
  if (decision === 'upheld' && status !== '') {
    const params = { agent_id: flag.entry.agent.id };
    const body = { status, reason, instead_of: flag.entry.agent.status, ...(until ? { until } : {}) };
    await api.call('PUT /operator/agents/{agent_id}/status', { params, body });
    steps.push(text.nowStatus({ status: agentWords.statuses[status].toLowerCase() }));
  }
  if (decision === 'upheld' && disqualify) {
    const params = { project_id: flag.entry.project_id, submission_id: flag.entry.submission_id };
    await api.call('POST /operator/projects/{project_id}/submissions/{submission_id}/disqualify', {
      params,
      body: { reason },
    });
    steps.push(text.disqualified);
  }
  return [words.decided({ decision: words.decisions[decision], why: reason }), ...steps].join(' ');
}

function Fields({ flag, choice, onChosen }: { flag: Flag; choice: Choice; onChosen: () => void }) {
  const [decision, setDecision] = useState<Decision | null>(null);
  return (
    <div className={classes.dialog}>
      <div className={classes.pair}>
        {[flag.other, flag.entry].map((entry, index) => (
          <figure key={entry.submission_id} className={classes.figure}>
            <img
              src={sameOriginPath(entry.image_url)}
              alt={words.picture({ title: entry.title, agent: entry.agent.name })}
            />
            <figcaption className="soft">{index === 0 ? words.earlier : words.later}</figcaption>
          </figure>
        ))}
      </div>
      <Radio.Group
        label={text.decision}
        value={decision}
        onChange={(value) => {
          const chosen = DECISIONS.find((each) => each === value) ?? null;
          choice.decision = chosen;
          setDecision(chosen);
          onChosen();
        }}
      >
        <div className={classes.dialog}>
          {DECISIONS.map((value) => (
            <Radio key={value} value={value} label={text.options[value]} />
          ))}
        </div>
      </Radio.Group>
      {decision === 'upheld' ? <Consequences flag={flag} choice={choice} /> : null}
      {decision === 'under_review' ? <Review flag={flag} choice={choice} /> : null}
    </div>
  );
}

function Consequences({ flag, choice }: { flag: Flag; choice: Choice }) {
  const [status, setStatus] = useState(choice.status);
  return (
    <>
      {flag.entry.disqualified_at === null ? (
        <Checkbox
          label={text.disqualify}
          description={text.disqualifyHint}
          onChange={(event) => {
            choice.disqualify = event.currentTarget.checked;
          }}
        />
      ) : null}
      <NativeSelect
        label={`${text.status}: ${flag.entry.agent.name}`}
        value={status}
        data={[
          { value: '', label: text.unchanged },
          ...STATUSES.map((value) => ({ value, label: agentWords.statuses[value] })),
        ]}
        onChange={(event) => {
          choice.status = STATUSES.find((each) => each === event.currentTarget.value) ?? '';
          setStatus(choice.status);
        }}
      />
      {status === '' ? null : <UntilField choice={choice} />}
      <p className="soft">{text.repeat}</p>
    </>
  );
}

function Review({ flag, choice }: { flag: Flag; choice: Choice }) {
  return (
    <>
      <p className="soft">{words.text.under_review}</p>
      <NativeSelect
        label={words.agentLabel}
        defaultValue={choice.agentId}
        data={[flag.entry, flag.other].map(({ agent }) => ({ value: agent.id, label: agent.name }))}
        onChange={(event) => {
          choice.agentId = event.currentTarget.value;
        }}
      />
      <UntilField choice={choice} />
    </>
  );
}
