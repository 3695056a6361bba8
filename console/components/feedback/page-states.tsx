import { CloudOff, ImageOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/public.ts';
import { messages } from '../../messages/public.ts';
import { PlainButton } from '../controls/plain-button.tsx';
import classes from './page-states.module.css';

/** Describes an error, with a retry button. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, text } = describeError(error);
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className={`stack ${classes.state}`} role="alert">
      <CloudOff size={32} aria-hidden="true" />
      <p className={classes.title}>{title}</p>
      <p className={classes.text}>{text}</p>
      {requestId ? <p className="small">{messages.errors.requestId({ id: requestId })}</p> : null}
      {onRetry ? <PlainButton onClick={onRetry}>{messages.errors.again}</PlainButton> : null}
    </div>
  );
}

/** Says why an act failed. Without a reason, it shows nothing. */
export function Failure({ children }: { children: ReactNode }) {
  return children ? (
    <p role="alert" className="failure">
      {children}
    </p>
  ) : null;
}

type NoDataProps = { of: { error: unknown; refetch: () => Promise<unknown> }; height?: number };

/** Shown while a query has no data: why it has none, or a placeholder of that height. */
export function NoData({ of: { error, refetch }, height }: NoDataProps) {
  return error ? (
    <ErrorState error={error} onRetry={() => void refetch()} />
  ) : (
    <Loading {...(height ? { height } : {})} />
  );
}

/** Describes an error to the user: a title and a sentence. */
export function describeError(error: unknown): { title: string; text: string } {
  if (!(error instanceof ApiError)) return messages.errors.unexpected;
  if (error.code === 'OFFLINE') return messages.errors.offline;
  if (error.code === 'NOT_THE_SERVICE') return messages.errors.notTheService;
  if (error.status === 429)
    return {
      ...messages.errors.tooMany,
      text: messages.errors.tooMany.text({ known: String(error.retryAfter !== null), seconds: error.retryAfter ?? 0 }),
    };
  if (error.status === 404) return { title: messages.errors.missing.title, text: wordsOf(error) };
  // The service says what happened to the file, and that the operator knows.
  if (error.code === 'DELIVERY_UNAVAILABLE') return { title: messages.errors.unavailable.title, text: wordsOf(error) };
  if (error.status >= 500) return messages.errors.service;
  return { title: messages.errors.refused, text: wordsOf(error) };
}

/** The service writes English. In other languages, what the code means comes first. */
function wordsOf({ meaning, message }: ApiError): string {
  return meaning === null ? message : messages.errors.said({ meaning, message });
}

export type EmptyStateProps = { title: string; text?: string; icon?: ReactNode; action?: ReactNode };

/** Shown in place of a list without entries. */
export function EmptyState({ title, text, icon, action }: EmptyStateProps) {
  return (
    <div className={`stack ${classes.state}`}>
      {icon ?? <ImageOff size={32} aria-hidden="true" />}
      <p className={classes.title}>{title}</p>
      {text ? <p className={classes.text}>{text}</p> : null}
      {action}
    </div>
  );
}

/** Tells screen readers that content is loading. Sighted users see `children`, or else a placeholder of that height. */
export function Loading({ children, height = 320 }: { children?: ReactNode; height?: number }) {
  return (
    <div aria-busy="true">
      <span className="only-read" role="status">
        {messages.loading}
      </span>
      <div aria-hidden="true">{children ?? <Skeleton height={height} />}</div>
    </div>
  );
}

/** A placeholder for content that is loading. */
export function Skeleton({ height, width = '100%' }: { height: number | string; width?: string }) {
  return <span className={classes.skeleton} style={{ height, width }} />;
}
