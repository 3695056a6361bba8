import { Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import type { ApiData } from '../../api/public.ts';
import { describeError } from '../../components/feedback/public.ts';
import { messages, operator } from '../../messages/public.ts';
import { notify } from '../../signed-in/public.ts';
import { CodeField, digitsOf, operatorStore, useRefresh } from '../area/public.ts';
import classes from './people.module.css';

/** A new secret for codes. It counts once its first code is confirmed. */
export type Secret = Pick<ApiData<'POST /operator/me/codes'>, 'code_secret' | 'uri'>;

const text = operator.operators.setup;

/** Shows the secret for the authenticator app, and takes the first code. */
export function CodeSetup({ secret, onDone }: { secret: Secret; onDone: () => void }) {
  const refresh = useRefresh();
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function confirm(event: { preventDefault(): void }) {
    event.preventDefault();
    const digits = digitsOf(code);
    if (digits === null) return setFailure(operator.code.invalid);
    setBusy(true);
    setFailure(null);
    try {
      notify((await operatorStore.api.call('POST /operator/me/codes/confirm', { body: { code: digits } })).message);
      await refresh();
      onDone();
    } catch (error) {
      setFailure(describeError(error).text);
      setBusy(false);
    }
  }

  return (
    <form className={classes.setup} aria-label={text.title} onSubmit={(event) => void confirm(event)} noValidate>
      <h3>{text.title}</h3>
      <p>{text.lead}</p>
      <Shown what={text.secret} value={secret.code_secret} />
      <Shown what={text.uri} value={secret.uri} />
      <p>
        <a href={secret.uri}>{text.open}</a>
      </p>
      <CodeField label={text.first} value={code} error={failure} onType={setCode} />
      <div className={classes.buttons}>
        <Button type="submit" loading={busy}>
          {text.confirm}
        </Button>
        <Button variant="default" onClick={onDone} disabled={busy}>
          {messages.confirm.cancel}
        </Button>
      </div>
    </form>
  );
}

function Shown({ what, value }: { what: string; value: string }) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  return (
    <div className={classes.shown}>
      <span className="soft">{what}</span>
      <output className={classes.value} aria-label={what}>
        {value}
      </output>
      <Button
        variant="default"
        size="xs"
        aria-label={messages.copy.copy({ what })}
        leftSection={<Icon size={16} aria-hidden="true" />}
        onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}
      >
        {copied ? messages.copy.copied : text.copy}
      </Button>
    </div>
  );
}
