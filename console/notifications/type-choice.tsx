import { Checkbox } from '@mantine/core';
import { nameOf } from './event-list.tsx';

type TypeChoiceProps = {
  label: string;
  types: readonly string[];
  value: string[];
  onChange: (types: string[]) => void;
  error?: string | null;
};

/** Checkboxes for event types, in the order of the service. */
export function TypeChoice({ label, types, value, onChange, error = null }: TypeChoiceProps) {
  return (
    <Checkbox.Group label={label} value={value} onChange={onChange} error={error}>
      <div className="tiles">
        {types.map((type) => (
          <Checkbox key={type} value={type} label={nameOf(type)} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
