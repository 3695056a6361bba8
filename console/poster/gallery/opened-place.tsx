import type { usePlace } from '../../components/viewing/public.ts';
import { poster } from '../../messages/public.ts';
import type { OwnProject } from '../account/public.ts';
import type { Entry, Judge } from '../judging/public.ts';
import { CompareView, EntryViewer } from '../viewer/public.ts';
import classes from './judge-gallery.module.css';

type OpenedPlaceProps = {
  project: OwnProject;
  place: ReturnType<typeof usePlace>;
  /** The entries of the filter, in their order. */
  shown: Entry[];
  byId: ReadonlyMap<string, Entry>;
  loaded: boolean;
  judge: Judge;
  onCompare: () => void;
  onKeys: () => void;
};

/** Whether the address names an entry that the gallery has. */
export function isPlaceShown(
  { entry, compared }: Pick<OpenedPlaceProps['place'], 'entry' | 'compared'>,
  byId: ReadonlyMap<string, Entry>,
): boolean {
  return entry === null ? (compared?.some((id) => byId.has(id)) ?? false) : byId.has(entry);
}

/** The viewer or the comparison that the address names. */
export function OpenedPlace(props: OpenedPlaceProps) {
  const { place, byId, loaded, judge, onKeys } = props;
  if (!isPlaceShown(place, byId)) {
    if (!place.isOpen || !loaded) return null;
    const { unknown, unknownCompared } = poster.gallery;
    return (
      <p role="alert" className={classes.failure}>
        {place.entry === null ? unknownCompared : unknown}
      </p>
    );
  }
  if (place.entry !== null) return <OpenedEntry {...props} id={place.entry} />;
  if (place.compared === null) return null;
  const compared = place.compared.flatMap((id) => byId.get(id) ?? []);
  return (
    <CompareView entries={compared} judge={judge} onChange={place.compare} onKeys={onKeys} onClose={place.close} />
  );
}

function OpenedEntry({ id, place, shown, byId, ...props }: OpenedPlaceProps & { id: string }) {
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
        if (entries[next]) place.open(entries[next].id);
      }}
      onClose={place.close}
    />
  );
}
