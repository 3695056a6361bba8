import { type Step, Steps, Panel, Money, TransactionHash } from '../../components/public.ts';
import { poster } from '../../messages/public.ts';
import type { OwnProject } from '../account/own-projects.ts';

const text = poster.payout;
type Payout = OwnProject['payouts'][number];

/** The payouts of a project with their progress and transactions. */
export function PayoutView({ project }: { project: OwnProject }) {
  if (project.payouts.length === 0) return null;
  return (
    <Panel id="payout" title={project.status === 'cancelled' ? text.refund : text.title}>
      <ul className="stack loose">
        {project.payouts.map((payout, index) => (
          <li key={index} className="stack">
            <p className="row ends">
              <span>{nameOf(payout, project)}</span>
              <strong>
                <Money micro={payout.amount_micro} />
              </strong>
            </p>
            <Way payout={payout} />
            {payout.tx_hash ? <TransactionHash hash={payout.tx_hash} inWords /> : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Refunds of entry fees name their submission; a refund of the prize does not. */
function nameOf({ kind, submission_id: entry }: Payout, { status }: OwnProject): string {
  if (kind !== 'refund') return text.kinds[kind];
  if (entry !== null) return text.fee;
  return status === 'cancelled' ? text.kinds.refund : text.rest;
}

function Way({ payout }: { payout: Payout }) {
  const { status, kind } = payout;
  const isSettled = status === 'settled';
  const steps: Step[] = [
    { label: kind === 'refund' ? text.decided : text.awarded, state: 'done' },
    { label: isSettled ? text.sent : text.states[status], state: isSettled ? 'done' : 'now' },
    { label: text.settled, state: isSettled ? 'done' : 'later' },
  ];
  return (
    <div role="status">
      <Steps inRow steps={steps} />
    </div>
  );
}
