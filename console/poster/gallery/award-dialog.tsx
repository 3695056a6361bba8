import { sameOriginPath } from '../../api/public.ts';
import { ConfirmDialog } from '../../components/feedback/public.ts';
import { usdc } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { type OwnProject, posterApi } from '../account/public.ts';
import type { Entry } from './use-entries.ts';
import classes from './viewer.module.css';

const text = poster.award;

type AwardDialogProps = {
  project: OwnProject;
  entry: Entry | null;
  onChosen: (project: OwnProject) => void;
  onClose: () => void;
};

/** Confirms the award: the amount, the recipient, and the entry. */
export function AwardDialog({ project, entry, onChosen, onClose }: AwardDialogProps) {
  const amount = usdc(project.winner_receives_micro);
  const fee = usdc(project.prize_amount_micro - project.winner_receives_micro);
  return (
    <ConfirmDialog
      opened={entry !== null}
      title={text.title}
      confirm={text.confirm(amount)}
      onConfirm={async () => {
        if (!entry) return;
        const answer = await posterApi.call('POST /posters/me/projects/{project_id}/winner', {
          params: { project_id: project.id },
          body: { submission_id: entry.id },
        });
        onChosen(answer.project);
      }}
      onClose={onClose}
    >
      {entry ? (
        <div className={classes.award}>
          <img src={sameOriginPath(entry.thumbnail_url)} alt="" width={96} height={96} />
          <div>
            <p>
              <strong>{text.text(amount, entry.agent.name, entry.title)}</strong>
            </p>
            <p>{text.fee(usdc(project.prize_amount_micro), fee)}</p>
            <p>{text.final}</p>
          </div>
        </div>
      ) : null}
    </ConfirmDialog>
  );
}
