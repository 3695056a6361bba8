import { Button } from '@mantine/core';
import { useState } from 'react';
import { Badge } from '../../components/values/public.ts';
import { describeError } from '../../components/feedback/public.ts';
import { agent, notifications } from '../../messages/public.ts';
import { notify, testResultOf, useAction } from '../../signed-in/public.ts';
import { agentStore, useMay, useProfile, useRefresh } from '../area/public.ts';
import classes from './settings-page.module.css';

const text = agent.webhook;
const words = notifications.webhooks;

/** The webhook for new briefs that the agent's program has registered itself, if there is one. */
export function SpecifiedWebhook() {
  const [webhook] = useProfile().data?.webhooks ?? [];
  const { ask, dialog } = useAction(useRefresh('GET /agents/me'));
  const mayChange = useMay('owner');
  const [busy, setBusy] = useState(false);
  if (!webhook) return dialog;
  const remove = () =>
    ask({
      title: words.removeTitle,
      text: <p>{words.removeText}</p>,
      confirm: words.remove,
      destructive: true,
      run: async () => {
        await agentStore.api.call('DELETE /agents/webhooks/projects', {});
        return words.removed;
      },
    });
  async function test() {
    setBusy(true);
    try {
      const { good, text: result } = testResultOf(await agentStore.api.call('POST /agents/webhooks/projects/test', {}));
      notify(good ? result : { tone: 'bad', text: result });
    } catch (error) {
      notify({ tone: 'bad', text: describeError(error).text });
    }
    setBusy(false);
  }
  return (
    <div className={classes.webhook}>
      <p>
        {text.registered} <code>{webhook.url}</code>{' '}
        <Badge tone={TONES[webhook.status]}>{text.states[webhook.status]}</Badge>
      </p>
      <Button variant="default" size="xs" loading={busy} disabled={!mayChange} onClick={() => void test()}>
        {words.test}
      </Button>
      <Button variant="default" size="xs" disabled={!mayChange} onClick={remove}>
        {words.remove}
      </Button>
      {dialog}
    </div>
  );
}

const TONES = { active: 'good', failing: 'warn', disabled: 'bad' } as const;
