import type { ReactNode } from 'react';
import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import { messages } from '../../messages/public.ts';
import classes from './status-badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** A status in words; its color is never the only signal. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`toned ${classes.badge}`} data-tone={tone}>
      {children}
    </span>
  );
}

const TONES: Record<ProjectStatus, Tone> = {
  draft: 'quiet',
  open: 'good',
  judging: 'warn',
  completed: 'good',
  cancelled: 'quiet',
};

export function StatusBadge({ status }: { status: ProjectStatus }) {
  return <Badge tone={TONES[status]}>{messages.status[status]}</Badge>;
}
