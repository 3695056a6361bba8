import { Button, TextInput } from '@mantine/core';
import { MailX } from 'lucide-react';
import { useState } from 'react';
import { Badge, Banner, EmptyState, Facts, Page, Section, type Tone, useWork } from '../components/public.ts';
import { notifications } from '../messages/public.ts';
import type { Account, Contact } from './account.ts';
import { EventList } from './event-list.tsx';
import { timeOf } from '../format/public.ts';
import { type Action, notify, QueryResult, useAction } from '../signed-in/public.ts';
import { usePart, useReload } from './use-notifications.ts';

const { activity, email, title, lead } = notifications;

/** Shows the events of an account, and the email address that gets them. */
export function NotificationsPage({ account }: { account: Account }) {
  return (
    <Page title={title} lead={lead}>
      <Section title={activity.title} lead={activity.lead}>
        <EventList account={account} />
      </Section>
      {account.mayChange ? (
        <Section title={email.title} lead={email.lead}>
          <ContactSection account={account} />
        </Section>
      ) : null}
    </Page>
  );
}

const text = notifications.email;
const TONES: Record<Contact['status'], Tone> = {
  unverified: 'warn',
  active: 'good',
  unsubscribed: 'quiet',
  disabled: 'bad',
};

function ContactSection({ account }: { account: Account }) {
  const query = usePart(account, 'contact', account.contact);
  return (
    <QueryResult of={query} height={160}>
      {({ contact, sends_email: sendsEmail }) => {
        if (!sendsEmail) return <EmptyState {...text.unavailable} icon={<MailX size={32} aria-hidden="true" />} />;
        // A new form after each change of the stored address, so that it starts with the stored values.
        return (
          <>
            {contact ? <State of={contact} /> : null}
            <ContactForm key={contact?.updated_at ?? 'none'} account={account} contact={contact} />
          </>
        );
      }}
    </QueryResult>
  );
}

function State({ of: contact }: { of: Contact }) {
  const { facts } = text;
  return (
    <>
      {contact.refused ? (
        <Banner tone="bad" title={text.refused({ address: contact.refused.address, reason: contact.refused.reason })} />
      ) : null}
      <Facts
        facts={[
          {
            label: facts.state,
            value: <Badge tone={TONES[contact.status]}>{text.states[contact.status]}</Badge>,
          },
          ...(contact.address ? [{ label: facts.address, value: contact.address }] : []),
          ...(contact.pending_address ? [{ label: facts.pending, value: contact.pending_address }] : []),
          ...(contact.link_expires_at ? [{ label: facts.until, value: timeOf(contact.link_expires_at) }] : []),
        ]}
      />
    </>
  );
}

function ContactForm({ account, contact }: { account: Account; contact: Contact | null }) {
  const reload = useReload(account);
  const { ask, dialog } = useAction(reload);
  const [address, setAddress] = useState(contact?.pending_address ?? contact?.address ?? '');
  const { busy, failure, act } = useWork();
  const save = async () => {
    const saved = await account.saveContact(address.trim());
    notify(saved.link_sent ? text.linkSent({ address: address.trim() }) : text.saved);
    await reload();
  };
  return (
    <>
      <form className="stack form" onSubmit={act(save)} noValidate>
        <TextInput
          type="email"
          label={text.address}
          autoComplete="email"
          maxLength={254}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          error={failure}
        />
        <div className="row">
          <Button type="submit" loading={busy} disabled={!account.mayChange}>
            {text.save}
          </Button>
          {contact ? (
            <Button variant="default" disabled={!account.mayChange} onClick={() => ask(removalOf(account))}>
              {text.remove}
            </Button>
          ) : null}
        </div>
      </form>
      {/* Outside of the form, because a button of the dialog would submit it. */}
      {dialog}
    </>
  );
}

function removalOf(account: Account): Action {
  return {
    title: text.removeTitle,
    text: <p>{text.removeText}</p>,
    confirm: text.remove,
    destructive: true,
    run: async () => {
      await account.saveContact(null);
      return text.removed;
    },
  };
}
