import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { agent as words, operator, operatorDesk } from '../../messages/public.ts';
import type { AgentStatus } from '../../signed-in/public.ts';
import type { Act } from '../area/acts.tsx';
import { operatorStore } from '../area/operator-store.ts';

const text = operator.agent;
const STATUSES = Object.entries(words.statuses).map(([value, label]) => ({ value, label }));

/** The dialog's values, read when the user confirms. */
type Choice = { status: AgentStatus; until: string };

/** Sets the status of an agent. The button stays off until the operator chooses another status, or another end. */
export function agentStatusAct({ id, name, status }: { id: string; name: string; status: AgentStatus }): Act {
  const choice: Choice = { status, until: '' };
  return {
    label: text.change,
    title: `${text.change}: ${name}`,
    text: (setReady) => (
      <div className="stack">
        <p className="soft">{operatorDesk.agent.unchanged}</p>
        <Fields choice={choice} onChange={() => setReady(choice.status !== status || choice.until !== '')} />
      </div>
    ),
    confirm: text.confirm,
    reason: text.reason,
    run: async (reason) => {
      const until = choice.status === 'active' ? undefined : isoOf(choice.until);
      const { agent } = await operatorStore.api.call('PUT /operator/agents/{agent_id}/status', {
        params: { agent_id: id },
        body: { status: choice.status, reason, instead_of: status, ...(until ? { until } : {}) },
      });
      return text.changed({ name: agent.name, status: words.statuses[agent.status].toLowerCase() });
    },
  };
}

/** Converts a local time of an input to ISO 8601; undefined if it is empty or invalid. */
function isoOf(local: string): string | undefined {
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

function Fields({ choice, onChange }: { choice: Choice; onChange: () => void }) {
  const [status, setStatus] = useState(choice.status);
  return (
    <>
      <NativeSelect
        label={text.status}
        data-autofocus
        value={status}
        onChange={(event) => {
          choice.status = event.currentTarget.value as AgentStatus;
          setStatus(choice.status);
          onChange();
        }}
        data={STATUSES}
      />
      <p className="soft">{text.effects[status]}</p>
      {status === 'active' ? null : (
        <TextInput
          type="datetime-local"
          label={text.until}
          description={text.untilHint}
          defaultValue={choice.until}
          onChange={(event) => {
            choice.until = event.currentTarget.value;
            onChange();
          }}
        />
      )}
    </>
  );
}
