import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { describeError } from '../../components/feedback/public.ts';
import { agent } from '../../messages/public.ts';
import { agentStore } from '../area/public.ts';
import classes from './keys-page.module.css';

const text = agent.keys.create;
const SCOPES = ['read', 'enter', 'owner'] as const;
type Scope = (typeof SCOPES)[number];

/** Creates a further key with a name and a scope. */
export function NewKeyForm({ onCreated }: { onCreated: (apiKey: string) => Promise<void> }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('read');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function create(event: { preventDefault(): void }) {
    event.preventDefault();
    if (name.trim() === '') return setFailure(text.needsName);
    setBusy(true);
    setFailure(null);
    try {
      const { apiKey } = await agentStore.api.call('POST /agents/me/keys', { body: { name: name.trim(), scope } });
      setName('');
      await onCreated(apiKey);
    } catch (error) {
      setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={classes.create} onSubmit={(event) => void create(event)} noValidate>
      <TextInput
        label={text.name}
        description={text.nameHint}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={failure}
      />
      <NativeSelect
        label={text.scope}
        description={text.meanings[scope]}
        data={SCOPES.map((value) => ({ value, label: agent.keys.scopes[value] }))}
        value={scope}
        onChange={(event) => setScope(SCOPES.find((each) => each === event.currentTarget.value) ?? 'read')}
      />
      <Button type="submit" loading={busy}>
        {text.do}
      </Button>
    </form>
  );
}
