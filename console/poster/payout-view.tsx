import { Check, Circle, LoaderCircle } from 'lucide-react';
import { CopyText } from '../components/copy-text.tsx';
import { Money } from '../components/money.tsx';
import { poster } from '../messages/poster.ts';
import { type Network, type OwnProject, useNetwork } from './use-own.ts';
import classes from './project-page.module.css';

const text = poster.payout;
type Payout = OwnProject['payouts'][number];

const EXPLORERS: Record<string, string> = {
  'eip155:8453': 'https://basescan.org/tx/',
  'eip155:84532': 'https://sepolia.basescan.org/tx/',
};

/** What is paid to whom, from the decision to the transaction that anybody can look up. */
export function PayoutView({ project }: { project: OwnProject }) {
  const network = useNetwork();
  if (project.payouts.length === 0) return null;
  return (
    <section className={classes.panel} aria-labelledby="payout">
      <h2 id="payout">{text.title}</h2>
      <ul className={classes.payouts}>
        {project.payouts.map((payout, index) => (
          <li key={index}>
            <p className={classes.amount}>
              <span>{text.kinds[payout.kind]}</span>
              <strong>
                <Money micro={payout.amount_micro} />
              </strong>
            </p>
            <Steps payout={payout} />
            {payout.tx_hash ? <Transaction hash={payout.tx_hash} network={network} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Steps({ payout }: { payout: Payout }) {
  const { status } = payout;
  const isSettled = status === 'settled';
  const steps = [
    { label: text.awarded, state: 'done' },
    { label: isSettled ? text.sent : text.states[status], state: isSettled ? 'done' : 'now' },
    { label: text.settled, state: isSettled ? 'done' : 'later' },
  ];
  return (
    <div role="status">
      <ol className={classes.steps}>
        {steps.map(({ label, state }) => (
          <li key={label} data-state={state}>
            <Icon state={state} />
            {label}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Icon({ state }: { state: string }) {
  if (state === 'done') return <Check size={18} role="img" aria-label={poster.publish.done} />;
  if (state === 'now')
    return <LoaderCircle size={18} role="img" aria-label={poster.publish.now} className={classes.turning} />;
  return <Circle size={18} aria-hidden="true" />;
}

function Transaction({ hash, network }: { hash: string; network: Network | undefined }) {
  // A chain of this machine is in nobody's explorer.
  const explorer = network && !network.development ? EXPLORERS[network.network] : undefined;
  return (
    <p className={classes.transaction}>
      <span className="soft">{text.transaction}</span>
      <CopyText value={hash} what={text.transaction} />
      {explorer ? (
        <a href={`${explorer}${hash}`} target="_blank" rel="noreferrer">
          {text.explorer}
        </a>
      ) : null}
    </p>
  );
}
