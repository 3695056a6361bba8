import { Page, Section } from '../components/layout/public.ts';
import { notifications } from '../messages/public.ts';
import type { Account } from './account.ts';
import { ContactSection } from './contact-section.tsx';
import { Endpoints } from './endpoints.tsx';
import { EventList } from './event-list.tsx';

const { activity, email, webhooks, title, lead } = notifications;

/** Shows the events of an account, and where the service reports them. */
export function NotificationsPage({ account }: { account: Account }) {
  return (
    <Page title={title} lead={lead}>
      <Section title={activity.title} lead={activity.lead}>
        <EventList account={account} />
      </Section>
      {account.readsContact ? (
        <Section title={email.title} lead={email.lead}>
          <ContactSection account={account} />
        </Section>
      ) : null}
      <Section title={webhooks.title} lead={webhooks.lead}>
        <Endpoints account={account} />
      </Section>
    </Page>
  );
}
