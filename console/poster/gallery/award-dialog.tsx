import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import { ConfirmDialog } from '../../components/public.ts';
import { timeOf, usdc } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { useCloseNotice } from '../../public-project/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import { posterApi } from '../account/poster-session.ts';
import type { Entry } from '../judging/entry-requests.ts';
import classes from './award-dialog.module.css';

const text = poster.award;

type AwardDialogProps = {
  project: OwnProject;
  entry: Entry | null;
  /** The entries with feedback that was typed but not sent. */
  unsent: number;
  /** Resolves when the service has every draft. */
  onSend: () => Promise<void>;
  onChosen: (project: OwnProject) => void;
  onClose: () => void;
};

/** Confirms the award: the amount, the recipient, and the entry. In an open project, the choice also closes entries. */
export function AwardDialog({ project, entry, unsent, onSend, onChosen, onClose }: AwardDialogProps) {
  const amount = usdc(project.winner_receives_micro);
  const fee = usdc(project.prize_amount_micro - project.winner_receives_micro);
  const closes = project.status === 'open';
  const [isSending, setSending] = useState(true);
  const choose = async ({ id }: Entry) => {
    if (isSending) await onSend();
    const input = { params: { project_id: project.id }, body: { submission_id: id, send_drafts: isSending } };
    return closes
      ? await posterApi.call('POST /posters/me/projects/{project_id}/close-and-choose', input)
      : await posterApi.call('POST /posters/me/projects/{project_id}/winner', input);
  };
  return (
    <ConfirmDialog
      opened={entry !== null}
      title={titleOf(project)}
      confirm={closes ? text.closeConfirm : text.confirm({ amount })}
      onConfirm={async () => {
        if (entry) onChosen((await choose(entry)).project);
      }}
      onClose={onClose}
    >
      {entry ? (
        <div className={classes.award} data-set={entry.items.length > 1}>
          <div className={`row ${classes.pictures}`}>
            {(entry.items.length > 1 ? entry.items : [entry]).map(({ thumbnail_url: url }) => (
              <img key={url} src={sameOriginPath(url)} alt="" width={96} height={96} />
            ))}
          </div>
          <div className="stack">
            <p>
              <strong>{text.text({ amount, agent: entry.agent.name, entry: entry.title })}</strong>
            </p>
            {closes ? <Closing project={project} /> : null}
            <p>{text.fee({ prize: usdc(project.prize_amount_micro), fee })}</p>
            <p>{closes ? text.closeFinal : text.final}</p>
            {entry.agent_has_wallet ? null : (
              <p className="warning">{text.noWallet({ paid: String(entry.entry_fee_paid > 0) })}</p>
            )}
            {entry.resembles ? (
              <p className="warning">{poster.viewer[entry.resembles.exact ? 'copy' : 'alike']}</p>
            ) : null}
            {unsent > 0 ? (
              <Checkbox
                label={text.unsent({ amount: unsent })}
                checked={isSending}
                onChange={(event) => setSending(event.currentTarget.checked)}
              />
            ) : null}
          </div>
        </div>
      ) : null}
    </ConfirmDialog>
  );
}

function titleOf({ status, closes_at: closesAt }: OwnProject): string {
  if (status !== 'open') return text.title;
  return closesAt === null ? text.closeTitle : text.replaceTitle;
}

function Closing({ project }: { project: OwnProject }) {
  const { closes_at: closesAt } = project;
  const notice = useCloseNotice(project);
  if (closesAt !== null) return <p>{text.replaceText({ at: timeOf(closesAt) })}</p>;
  return (
    <>
      <p>{text.closeText}</p>
      {notice === null ? null : <p>{text.closeNotice({ notice })}</p>}
    </>
  );
}
