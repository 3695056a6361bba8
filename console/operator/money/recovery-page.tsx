import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../api/public.ts';
import { describeError } from '../../components/feedback/public.ts';
import { Page } from '../../components/layout/public.ts';
import { usdc } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import { type Action, useAction } from '../../signed-in/public.ts';
import { operatorStore, useRefresh } from '../area/public.ts';
import classes from './money.module.css';
import { RecoveryReport, type Report, type Transfer } from './recovery-report.tsx';

const text = operator.recovery;
const BLOCK = /^\d{1,15}$/;

/** Recovery of a database that is older than the chain: a check first, then the run, and what nothing explains. */
export function RecoveryPage() {
  const [block, setBlock] = useState('');
  const [report, setReport] = useState<Report | null>(null);
  const [adopted, setAdopted] = useState<readonly Transfer[]>([]);
  const { ask, dialog } = useAction(useRefresh());

  async function recover(dryRun: boolean): Promise<string> {
    const found = await recoverUntil(block.trim(), dryRun);
    setReport(found);
    setAdopted([]);
    return found.message;
  }

  const check = useWork(async () => await recover(true));
  return (
    <Page title={text.title} lead={text.lead}>
      <form className={classes.recovery} onSubmit={check.start} noValidate>
        <TextInput
          label={text.until}
          description={text.untilHint}
          inputMode="numeric"
          maxLength={15}
          value={block}
          onChange={(event) => setBlock(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={check.isBusy}>
          {text.check}
        </Button>
        <Button onClick={() => ask(runAction(async () => await recover(false)))} disabled={check.isBusy}>
          {text.run}
        </Button>
      </form>
      {check.failure === null ? null : (
        <p role="alert" className={classes.failure}>
          {check.failure}
        </p>
      )}
      {report === null ? null : (
        <RecoveryReport
          report={report}
          adopted={adopted}
          onAdopt={(transfer) => ask(adoptAction(transfer, () => setAdopted([...adopted, transfer])))}
        />
      )}
      {dialog}
    </Page>
  );
}

async function recoverUntil(block: string, dryRun: boolean): Promise<Report> {
  if (block !== '' && !BLOCK.test(block))
    throw new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: text.untilWrong });
  const body = { dry_run: dryRun, ...(block === '' ? {} : { until_block: Number(block) }) };
  return await operatorStore.api.call('POST /operator/recovery', { body });
}

/** Work that a form starts without a dialog. */
function useWork(work: () => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function run() {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  }

  return {
    isBusy,
    failure,
    start(event: { preventDefault(): void }) {
      event.preventDefault();
      void run();
    },
  };
}

function runAction(run: () => Promise<string>): Action {
  return { title: text.runTitle, text: text.runText, confirm: text.run, run };
}

function adoptAction(transfer: Transfer, onAdopted: () => void): Action {
  const { tx_hash: txHash, log_index: logIndex, wallet, amount_micro: micro } = transfer;
  return {
    title: text.adoptTitle({ amount: usdc(micro) }),
    text: <p className={classes.long}>{text.adoptText({ wallet })}</p>,
    confirm: text.adopt,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const { message } = await operatorStore.api.call('POST /operator/recovery/adopt', {
        body: { tx_hash: txHash, log_index: logIndex, reason },
      });
      onAdopted();
      return message;
    },
  };
}
