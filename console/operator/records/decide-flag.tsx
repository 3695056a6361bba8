import { NativeSelect } from '@mantine/core';
import { operator, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { type Flag, operatorStore } from '../area/public.ts';
import classes from './records.module.css';
import { isoOf, UntilField } from './status-fields.tsx';

export type Decision = NonNullable<Flag['decision']>;

const text = operator.flags;

export function decideAction({ id, entry, other }: Flag, decision: Decision): Action {
  const choice = { agentId: entry.agent.id, until: '' };
  const agents = [entry, other].map(({ agent }) => ({ value: agent.id, label: agent.name }));
  return {
    title: text.question[decision],
    text: (
      <div className={classes.dialog}>
        <p>{text.text[decision]}</p>
        {decision === 'under_review' ? (
          <>
            <NativeSelect
              label={text.agentLabel}
              defaultValue={choice.agentId}
              data={agents}
              onChange={(event) => {
                choice.agentId = event.currentTarget.value;
              }}
            />
            <UntilField choice={choice} />
          </>
        ) : null}
      </div>
    ),
    confirm: text.decide,
    reason: signedIn.reason,
    run: async (reason) => {
      const until = isoOf(choice.until);
      const review = decision === 'under_review' ? { agent_id: choice.agentId, ...(until ? { until } : {}) } : {};
      await operatorStore.api.call('POST /operator/flags/{flag_id}/decision', {
        params: { flag_id: id },
        body: { decision, reason, ...review },
      });
      return text.decided(text.decisions[decision], reason);
    },
  };
}
