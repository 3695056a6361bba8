import { shortId } from '../../format/public.ts';
import { Button } from '@mantine/core';
import { saveFile, Failure, useWork } from '../../components/public.ts';
import { agent, handover } from '../../messages/public.ts';
import { agentStore } from '../area/agent-store.ts';

/** Saves the proof of a sale: the delivery manifest that the poster has too. */
export function ManifestButton({ submissionId, projectTitle }: { submissionId: string; projectTitle: string }) {
  const { busy, failure, act } = useWork();
  const save = async () => {
    const params = { submission_id: submissionId };
    const { manifest } = await agentStore.api.call('GET /agents/me/submissions/{submission_id}/manifest', { params });
    saveFile(
      new Blob([manifest], { type: 'application/jwt' }),
      handover.manifestName({ entry: shortId(submissionId) }),
    );
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={agent.history.manifestOf({ project: projectTitle })}
        loading={busy}
        onClick={act(save)}
      >
        {handover.manifest}
      </Button>
      <Failure>{failure}</Failure>
    </>
  );
}
