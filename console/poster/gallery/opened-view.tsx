import { Failure, type useOpenedEntries } from '../../components/public.ts';
import { poster } from '../../messages/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import type { Entry } from '../judging/entry-requests.ts';
import type { Judge } from '../judging/use-judge.ts';
import { CompareView } from '../viewer/compare-view.tsx';
import { EntryViewer } from '../viewer/entry-viewer.tsx';

type OpenedViewProps = {
  project: OwnProject;
  viewing: ReturnType<typeof useOpenedEntries>;
  /** The entries of the filter, in their order. */
  shown: Entry[];
  byId: ReadonlyMap<string, Entry>;
  loaded: boolean;
  judge: Judge;
  onCompare: () => void;
  onKeys: () => void;
};

/** Whether the address names an entry that the gallery has. */
export function isViewShown(
  { entry, compared }: Pick<OpenedViewProps['viewing'], 'entry' | 'compared'>,
  byId: ReadonlyMap<string, Entry>,
): boolean {
  return entry === null ? (compared?.some((id) => byId.has(id)) ?? false) : byId.has(entry);
}

/** The viewer or the comparison that the address names. */
export function OpenedView(props: OpenedViewProps) {
  const { viewing, byId, loaded, judge, onKeys } = props;
  if (!isViewShown(viewing, byId)) {
    if (!viewing.isOpen || !loaded) return null;
    const { unknown, unknownCompared } = poster.gallery;
    return <Failure>{viewing.entry === null ? unknownCompared : unknown}</Failure>;
  }
  if (viewing.entry !== null) return <OpenedEntry {...props} id={viewing.entry} />;
  if (viewing.compared === null) return null;
  const compared = viewing.compared.flatMap((id) => byId.get(id) ?? []);
  return (
    <CompareView entries={compared} judge={judge} onChange={viewing.compare} onKeys={onKeys} onClose={viewing.close} />
  );
}

function OpenedEntry({ id, viewing, shown, byId, ...props }: OpenedViewProps & { id: string }) {
  const entry = byId.get(id);
  if (!entry) return null;
  // A link can name an entry that the filter hides.
  const index = shown.indexOf(entry);
  const entries = index < 0 ? [entry] : shown;
  return (
    <EntryViewer
      {...props}
      entries={entries}
      index={Math.max(0, index)}
      onMove={(next) => {
        if (entries[next]) viewing.open(entries[next].id);
      }}
      onAlike={viewing.compare}
      onClose={viewing.close}
    />
  );
}
