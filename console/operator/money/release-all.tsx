import { Button } from '@mantine/core';
import { shortHash } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import { type Action, useFilters } from '../../signed-in/public.ts';
import { operatorStore } from '../area/public.ts';
import classes from './money.module.css';

const text = operator.payouts;

/** Releases the payouts that a daily cap holds; if the list shows one project, only those of that project. */
export function ReleaseAll({ ask }: { ask: (action: Action) => void }) {
  const { project_id: projectId } = useFilters(['project_id']).values;
  return (
    <Button variant="default" onClick={() => ask(releaseAllAction(projectId))}>
      {text.releaseAll}
    </Button>
  );
}

function releaseAllAction(projectId: string | undefined): Action {
  return {
    title: text.releaseAllTitle,
    text: (
      <div className={classes.dialog}>
        <p>{text.releaseAllText}</p>
        <p>{text.releaseAllFilters}</p>
        {projectId === undefined ? null : <p>{text.releaseAllOf({ project: shortHash(projectId) })}</p>}
      </div>
    ),
    confirm: text.releaseAll,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const body = { reason, ...(projectId === undefined ? {} : { project_id: projectId }) };
      return (await operatorStore.api.call('POST /operator/payouts/release', { body })).message;
    },
  };
}
