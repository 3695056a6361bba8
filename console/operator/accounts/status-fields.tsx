import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { agent, operator } from '../../messages/public.ts';
import type { AgentStatus } from '../../signed-in/public.ts';

const STATUSES = Object.keys(agent.statuses) as AgentStatus[];
const text = operator.agent;

/** The dialog's values, read when the user confirms. */
export type StatusChoice = { status: AgentStatus; until: string };

/** Converts a local time of an input to ISO 8601; undefined if it is empty or invalid. */
export function isoOf(local: string): string | undefined {
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Starts at the current status. The button stays off until the user chooses another one, or another end. */
export function StatusFields({ choice, onChange }: { choice: StatusChoice; onChange: (choice: StatusChoice) => void }) {
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
          onChange(choice);
        }}
        data={STATUSES.map((value) => ({ value, label: agent.statuses[value] }))}
      />
      <p className="soft">{text.effects[status]}</p>
      {status === 'active' ? null : <UntilField choice={choice} onChange={() => onChange(choice)} />}
    </>
  );
}

export function UntilField({ choice, onChange }: { choice: { until: string }; onChange?: () => void }) {
  return (
    <TextInput
      type="datetime-local"
      label={text.until}
      description={text.untilHint}
      defaultValue={choice.until}
      onChange={(event) => {
        choice.until = event.currentTarget.value;
        onChange?.();
      }}
    />
  );
}
