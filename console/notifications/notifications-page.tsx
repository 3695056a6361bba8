import { Page, Section } from '../components/public.ts';
import { notifications } from '../messages/public.ts';
import type { Account } from './account.ts';
import { ContactSection } from './contact-section.tsx';
import { EventList } from './event-list.tsx';

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
