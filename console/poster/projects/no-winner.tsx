import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/public.ts';
import { usdc } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { posterApi } from '../account/poster-session.ts';
import type { ProjectActionsProps } from './project-actions-props.ts';

const text = poster.actions;

/** Ends a brief without a winner, after the poster has read what it costs and has given a reason. */
export function NoWinner({ project, onChanged }: ProjectActionsProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="stack">
      <Button variant="default" onClick={() => setAsking(true)}>
        {text.noWinner}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={text.noWinnerTitle}
        confirm={text.noWinner}
        destructive
        reason={{ label: text.noWinnerReason, maxLength: 500 }}
        onConfirm={async (reason) => {
          const input = { params: { project_id: project.id }, body: { reason } };
          onChanged((await posterApi.call('POST /posters/me/projects/{project_id}/no-winner', input)).project);
        }}
        onClose={() => setAsking(false)}
      >
        <p>{text.noWinnerText({ amount: usdc(project.winner_receives_micro) })}</p>
        {project.status === 'open' ? <p>{text.noWinnerOpen}</p> : null}
        <p>{text.noWinnerFinal}</p>
      </ConfirmDialog>
    </div>
  );
}
