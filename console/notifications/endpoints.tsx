import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { EmptyState, NewSecret, Section } from '../components/public.ts';
import { notifications } from '../messages/public.ts';
import { QueryResult } from '../signed-in/public.ts';
import type { Account } from './account.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointPanel } from './endpoint-panel.tsx';
import { usePart, useReload } from './use-notifications.ts';

const text = notifications.webhooks;

/** The webhook endpoints of an account, beside its keys. */
export function WebhooksSection({ account }: { account: Account }) {
  const query = usePart(account, 'endpoints', account.endpoints);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Section id="webhooks" title={text.title} lead={text.lead}>
      {secret === null ? null : (
        <NewSecret
          title={text.secretTitle}
          text={text.secretText}
          what={text.secret}
          value={secret}
          onDone={() => setSecret(null)}
        />
      )}
      <QueryResult of={query} height={160}>
        {(endpoints) => (
          <>
            {endpoints.length === 0 ? (
              <EmptyState {...text.empty} icon={<Webhook size={32} aria-hidden="true" />} />
            ) : (
              <ul className="stack">
                {endpoints.map((endpoint) => (
                  <li key={endpoint.id}>
                    <EndpointPanel account={account} endpoint={endpoint} onSecret={setSecret} />
                  </li>
                ))}
              </ul>
            )}
            <NewEndpoint account={account} onSecret={setSecret} />
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function NewEndpoint({ account, onSecret }: { account: Account; onSecret: (secret: string) => void }) {
  const reload = useReload(account);
  const add = async (url: string, types: string[]) => {
    const made = await account.addEndpoint(url, types);
    onSecret(made.signing_secret);
    await reload();
  };
  return <EndpointForm account={account} label={text.add} send={text.add} onSend={add} />;
}
