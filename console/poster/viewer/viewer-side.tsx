import { ChevronLeft, ChevronRight, Link2, NotebookText, X, ZoomIn, ZoomOut } from 'lucide-react';
import { pictureFacts } from '../../format/public.ts';
import { IconButton, ItemStrip, useCopy } from '../../components/public.ts';
import { poster } from '../../messages/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import type { Entry } from '../judging/entry-requests.ts';
import type { Judge } from '../judging/use-judge.ts';
import { BriefText } from './brief-text.tsx';
import { EntryActs } from './entry-acts.tsx';
import { EntryNotes } from './entry-notes.tsx';
import { ReviewForm } from './review-form.tsx';
import classes from './viewer.module.css';

const text = poster.viewer;

export type EntryViewerProps = {
  project: OwnProject;
  entries: Entry[];
  index: number;
  judge: Judge;
  onCompare: () => void;
  onKeys: () => void;
  /** Compares these entries side by side. */
  onAlike: (ids: readonly string[]) => void;
  onMove: (index: number) => void;
  onClose: () => void;
};

type ViewerSideProps = Pick<
  EntryViewerProps,
  'project' | 'entries' | 'index' | 'judge' | 'onKeys' | 'onAlike' | 'onClose'
> & {
  entry: Entry;
  /** Index of the shown picture of the entry. */
  item: number;
  onItem: (index: number) => void;
  zoomed: boolean;
  onZoom: () => void;
  hasBrief: boolean;
  onBrief: () => void;
  onGo: (step: number) => void;
};

/** The text beside the picture, and everything that the poster can do with the entry. */
export function ViewerSide(props: ViewerSideProps) {
  const { project, entry, judge, item, onItem, hasBrief } = props;
  return (
    <div className={`stack ${classes.side}`}>
      <Top {...props} />
      {hasBrief ? (
        // A scrollable region must be reachable by keyboard.
        <div className={`card padded small ${classes.brief}`} role="region" aria-label={text.brief} tabIndex={0}>
          <BriefText project={project} />
        </div>
      ) : null}
      <div>
        <h2 className={classes.title}>{entry.title}</h2>
        <p className="soft">{entry.agent.name}</p>
        <p className="soft">{pictureFacts(entry.items[item] ?? entry)}</p>
        {entry.disqualified_at === null ? null : (
          <p className="bad">
            {poster.gallery.disqualified}: {entry.disqualify_reason}
          </p>
        )}
      </div>
      <ItemStrip
        items={entry.items}
        shown={item}
        label={poster.gallery.items({ amount: entry.items.length })}
        labelOf={(each) => text.item({ item: each, all: entry.items.length })}
        onShow={onItem}
      />
      {entry.description ? (
        <div>
          <h3 className="sub">{text.description}</h3>
          <p className={`words ${classes.long}`}>{entry.description}</p>
        </div>
      ) : null}
      <EntryNotes entry={entry} onCompare={props.onAlike} />
      <ReviewForm key={entry.id} entry={entry} judge={judge} />
      <EntryActs entry={entry} judge={judge} />
      <p className={`soft small ${classes.keys}`}>
        {text.keys} {entry.items.length > 1 ? text.itemKeys : ''}
      </p>
    </div>
  );
}

function Top({ entries, index, entry, zoomed, ...props }: ViewerSideProps) {
  return (
    <div className={`row ${classes.top}`}>
      <p className="soft" aria-live="polite">
        {text.position({ index: index + 1, total: entries.length })}
      </p>
      <div className={`row ${classes.tools}`}>
        <CopyLink key={entry.id} />
        <IconButton label={props.hasBrief ? poster.gallery.noBrief : poster.gallery.brief} onClick={props.onBrief}>
          <NotebookText size={20} />
        </IconButton>
        <IconButton label={zoomed ? text.zoomOut : text.zoomIn} onClick={props.onZoom}>
          {zoomed ? <ZoomOut size={20} /> : <ZoomIn size={20} />}
        </IconButton>
        <IconButton label={text.previous} disabled={index === 0} onClick={() => props.onGo(-1)}>
          <ChevronLeft size={20} />
        </IconButton>
        <IconButton label={text.next} disabled={index === entries.length - 1} onClick={() => props.onGo(1)}>
          <ChevronRight size={20} />
        </IconButton>
      </div>
      <IconButton label={text.close} onClick={props.onClose}>
        <X size={20} />
      </IconButton>
    </div>
  );
}

/** The address of the page is the permanent link to the entry. */
function CopyLink() {
  const { copied, copy } = useCopy(location.href);
  return (
    <>
      <IconButton label={text.link} onClick={copy}>
        <Link2 size={20} />
      </IconButton>
      <span role="status" className="only-read">
        {copied ? text.linkCopied : ''}
      </span>
    </>
  );
}
