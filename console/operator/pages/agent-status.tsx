import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { wordsIn } from '../../components/public.ts';
import { agent as words, operator, operatorDesk } from '../../messages/public.ts';
import type { AgentStatus } from '../../signed-in/public.ts';
import type { Act } from '../area/acts.tsx';
import { operatorStore } from '../area/operator-store.ts';

const text = operator.agent;
const STATUSES = Object.entries(words.statuses).map(([value, label]) => ({ value, label }));

/** Sets the status of an agent. The operator chooses it, also to set another end of the same one. */
export function agentStatusAct({ id, name, status }: { id: string; name: string; status: AgentStatus }): Act {
  return {
    label: text.change,
    title: `${text.change}: ${name}`,
    text: <Fields />,
    confirm: text.confirm,
    reason: text.reason,
    run: async (reason, fields) => {
      const until = isoOf(wordsIn(fields, 'until'));
      const { agent } = await operatorStore.api.call('PUT /operator/agents/{agent_id}/status', {
        params: { agent_id: id },
        body: {
          status: wordsIn(fields, 'status') as AgentStatus,
          reason,
          instead_of: status,
          ...(until ? { until } : {}),
        },
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

function Fields() {
  const [status, setStatus] = useState<AgentStatus | ''>('');
  return (
    <div className="stack">
      <p className="soft">{operatorDesk.agent.unchanged}</p>
      <NativeSelect
        name="status"
        label={text.status}
        required
        withAsterisk={false}
        data-autofocus
        value={status}
        onChange={(event) => setStatus(event.currentTarget.value as AgentStatus)}
        data={[{ value: '', label: '–' }, ...STATUSES]}
      />
      {status === '' ? null : <p className="soft">{text.effects[status]}</p>}
      {status === '' || status === 'active' ? null : (
        <TextInput type="datetime-local" name="until" label={text.until} description={text.untilHint} />
      )}
    </div>
  );
}
