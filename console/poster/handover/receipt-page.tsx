import { Link } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { networkName, serviceName, useNetwork } from '../../api/public.ts';
import { type Fact, PlainButton, EmptyState, NoData, Page } from '../../components/public.ts';
import { bytes, timeOf, usdc } from '../../format/public.ts';
import { handover, rights } from '../../messages/public.ts';
import { useParam } from '../../shell/public.ts';
import { type OwnProject, useOwnProject } from '../account/own-projects.ts';
import { usePoster } from '../account/poster-session.ts';
import classes from './receipt-page.module.css';
import { type Delivery, useDelivery } from './use-delivery.ts';
import type { z } from 'zod';
import type { manifestClaims } from '../../../contract/projects/manifest.ts';

const text = handover.receipt;

/** The receipt of a delivery, made for printing. Its facts are those of the signed manifest. */
export function ReceiptPage() {
  const projectId = useParam('projectId');
  const query = useOwnProject(projectId);
  if (query.data) return <Receipt key={projectId} project={query.data.project} />;
  return (
    <Page title={text.title}>
      <NoData of={query} height={420} />
    </Page>
  );
}

function Receipt({ project }: { project: OwnProject }) {
  const query = useDelivery(project);
  const manifest = query.data?.manifest ?? null;
  return (
    <Page
      title={text.title}
      lead={text.lead({ project: project.title })}
      above={
        <Link to="/poster/projects/$projectId" params={{ projectId: project.id }}>
          {project.title}
        </Link>
      }
      {...(manifest === null ? {} : { actions: <PrintButton /> })}
    >
      {query.data && manifest !== null ? (
        <Paper project={project} delivery={query.data} claims={claimsOf(manifest)} />
      ) : query.error || query.isLoading ? (
        <NoData of={query} height={420} />
      ) : (
        <EmptyState {...text.unavailable} />
      )}
    </Page>
  );
}

function PrintButton() {
  return (
    <PlainButton onClick={() => window.print()}>
      <Printer size={18} aria-hidden="true" />
      {text.print}
    </PlainButton>
  );
}

type PaperProps = { project: OwnProject; delivery: Delivery; claims: Claims };

function Paper({ project, delivery, claims }: PaperProps) {
  const { poster } = usePoster();
  const network = useNetwork();
  const { prize_amount_micro: prize, winner_receives_micro: gets } = project;
  const { entry, files, licence } = delivery;
  return (
    <div className={`card stack loose ${classes.paper}`}>
      <Part
        title={text.purchase}
        facts={[
          [text.issuedBy, `${serviceName()}, ${claims.iss}`],
          [text.paidOn, timeOf(claims.settled_at)],
          [text.buyer, poster.name],
          [text.payer, claims.payer],
          [text.seller, entry.agent.name],
          [text.payee, claims.payee],
          [text.project, claims.project_id],
          [text.entry, `${entry.title} (${claims.submission_id})`],
        ]}
      />
      <Part
        title={text.amounts}
        facts={[
          [text.prize, `${usdc(prize)} USDC`],
          [text.platform, `${usdc(prize - gets)} USDC`],
          [text.winner, `${usdc(gets)} USDC`],
        ]}
      />
      <Part
        title={text.transactions}
        facts={[
          [text.network, network ? networkName(network) : null],
          [text.prizeTx, claims.prize_tx],
          [text.feeTx, claims.fee_tx],
          [text.payoutTx, claims.payout_tx],
        ]}
      />
      <Part
        title={text.files}
        facts={files.map((file) => [
          `${file.file_name} (${text.fileFacts({ type: file.content_type, size: bytes(file.size_bytes) })})`,
          `SHA-256 ${file.sha256}`,
        ])}
      />
      <Part
        title={text.rights}
        facts={[
          [rights.licence, rights.licences[licence.id].name],
          [text.licenceText, licence.sha256],
          [text.terms, claims.terms_hash],
        ]}
      />
      <p className="soft">{text.proof}</p>
    </div>
  );
}

/** Full values: a printed receipt must be complete. A fact without a value is left out. */
function Part({ title, facts }: { title: string; facts: Fact[] }) {
  return (
    <section className={`stack tight ${classes.part}`}>
      <h2 className={classes.heading}>{title}</h2>
      <dl className={classes.facts}>
        {facts.map(([label, value]) =>
          value === null ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}

/** The statements of a delivery manifest. */
type Claims = z.output<typeof manifestClaims>;

/**
 * Reads the statements of a delivery manifest, to show them. Does not check the signature: the manifest comes from the
 * service itself, and `concours verify` checks it for everyone else.
 */
function claimsOf(manifest: string): Claims {
  const [, payload = ''] = manifest.split('.');
  const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  const utf8 = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(utf8)) as Claims;
}
