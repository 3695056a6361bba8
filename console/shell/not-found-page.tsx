import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { EmptyState, Page } from '../components/public.ts';
import { messages } from '../messages/public.ts';

export function NotFoundPage() {
  return (
    <Page title={messages.notFound.title}>
      <EmptyState
        icon={<Compass size={32} aria-hidden="true" />}
        title={messages.notFound.what}
        text={messages.notFound.why}
        action={<Link to="/">{messages.notFound.toMarket}</Link>}
      />
    </Page>
  );
}
