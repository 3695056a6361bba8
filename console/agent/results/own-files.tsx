import { shortId } from '../../format/public.ts';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { NoData, OriginalFiles } from '../../components/public.ts';
import { agent, messages } from '../../messages/public.ts';
import { agentStore } from '../area/agent-store.ts';
import type { Submission } from './submission-words.ts';

const text = agent.submissions;
const route = 'GET /agents/me/submissions/{submission_id}/files';

/** A dialog with the original files of a confirmed submission. */
export function OwnFiles({ submission, onClose }: { submission: Submission | null; onClose: () => void }) {
  return (
    <Modal
      opened={submission !== null}
      onClose={onClose}
      title={text.originals}
      centered
      // Without this role, screen readers announce a second page header.
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': messages.confirm.cancel }}
    >
      {submission ? <Files submissionId={submission.id} /> : null}
    </Modal>
  );
}

function Files({ submissionId }: { submissionId: string }) {
  const params = { submission_id: submissionId };
  const fetchFiles = async () => await agentStore.api.call(route, { params });
  // The URLs work for five minutes, and the audit trail records each answer.
  const query = useQuery({
    queryKey: [route, submissionId],
    queryFn: fetchFiles,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (query.data)
    return <OriginalFiles originals={query.data} zipName={`entry-${shortId(submissionId)}.zip`} renew={fetchFiles} />;
  return <NoData of={query} height={120} />;
}
