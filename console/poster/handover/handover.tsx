import { licencePage, shortId } from '../../format/public.ts';
import { Link } from '@tanstack/react-router';
import { FileCheck, Receipt } from 'lucide-react';
import { useState } from 'react';
import { ApiError, sameOriginPath } from '../../api/public.ts';
import { PlainButton, NoData, OriginalFiles, saveFile, Panel, ItemStrip } from '../../components/public.ts';
import { handover as text, rights } from '../../messages/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import classes from './handover.module.css';
import { type Delivery, isDelivered, useDelivery } from './use-delivery.ts';

/** Shows the files, the license, and the proofs that the poster bought; before the payout, when they appear. */
export function Handover({ project }: { project: OwnProject }) {
  const query = useDelivery(project);
  const count = query.data?.files.length ?? project.item_count;
  if (project.winner_submission_id === null || project.selection === null) return null;
  return (
    <Panel id="handover" title={text.title({ pictures: count })}>
      {query.data ? (
        <Delivered
          project={project}
          delivery={query.data}
          renew={async () => (await query.refetch({ throwOnError: true })).data ?? Promise.reject(new Error('no data'))}
        />
      ) : (query.error ? !isTooEarly(query.error) : isDelivered(project)) ? (
        <NoData of={query} />
      ) : (
        <Waiting project={project} />
      )}
    </Panel>
  );
}

function isTooEarly(error: Error): boolean {
  return error instanceof ApiError && error.code === 'NOT_AWARDED';
}

function Waiting({ project }: { project: OwnProject }) {
  const status = project.payouts.find(({ kind }) => kind === 'prize')?.status ?? 'pending';
  return (
    <>
      <p role="status">{status === 'settled' ? text.waiting.pending : text.waiting[status]}</p>
      <p className="soft small">{text.appears}</p>
    </>
  );
}

type DeliveredProps = { project: OwnProject; delivery: Delivery; renew: () => Promise<Delivery> };

function Delivered({ project, delivery, renew }: DeliveredProps) {
  const entry = shortId(delivery.entry.id);
  return (
    <div className={classes.columns}>
      <Preview delivery={delivery} />
      <div className="stack loose">
        <OriginalFiles originals={delivery} zipName={`entry-${entry}.zip`} renew={renew} />
        <div className={`stack ${classes.part}`}>
          <h3 className="sub">{rights.licence}</h3>
          <Licence licence={delivery.licence} />
        </div>
        <div className={`stack ${classes.part}`}>
          <h3 className="sub">{text.proofs}</h3>
          <p className="soft small">{text.proofsHint}</p>
          <div className="row loose">
            {delivery.manifest === null ? null : (
              <PlainButton onClick={() => saveManifest(delivery.manifest ?? '', entry)}>
                <FileCheck size={18} aria-hidden="true" />
                {text.manifest}
              </PlainButton>
            )}
            <Link to="/poster/projects/$projectId/receipt" params={{ projectId: project.id }} className="row">
              <Receipt size={18} aria-hidden="true" />
              {text.receipt.title}
            </Link>
          </div>
        </div>
      </div>
    </div>
  );
}

function saveManifest(manifest: string, entry: string): void {
  saveFile(new Blob([manifest], { type: 'application/jwt' }), text.manifestName({ entry }));
}

function Preview({ delivery: { previews, entry } }: { delivery: Delivery }) {
  const [shown, setShown] = useState(0);
  const preview = previews[shown];
  if (!preview) return null;
  const { title, agent } = entry;
  return (
    <figure className="stack">
      <img
        className={`picture ${classes.preview}`}
        src={sameOriginPath(preview.image_url)}
        alt={text.picture({ title, agent: agent.name })}
        width={preview.width}
        height={preview.height}
      />
      <ItemStrip
        items={previews}
        shown={shown}
        label={text.pictures}
        labelOf={(item) => text.item({ item, all: previews.length })}
        onShow={setShown}
      />
      <figcaption className="row">
        <strong>{title}</strong>{' '}
        <Link to="/agents/$agentId" params={{ agentId: agent.id }}>
          {text.by({ agent: agent.name })}
        </Link>
        <span className="soft small">{text.previewHint({ width: preview.width, height: preview.height })}</span>
      </figcaption>
    </figure>
  );
}

function Licence({ licence }: { licence: Delivery['licence'] }) {
  const { name, means } = rights.licences[licence.id];
  return (
    <p>
      <strong>{name}</strong>
      <br />
      {means} <a href={licencePage(licence.url)}>{rights.readLicence}</a>
    </p>
  );
}
