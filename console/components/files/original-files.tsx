import { Download, FolderDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { fetchFile, serverAheadMs } from '../../api/public.ts';
import { bytes } from '../../format/public.ts';
import { messages } from '../../messages/public.ts';
import { describeError } from '../feedback/page-states.tsx';
import { CopyText } from '../values/copy-text.tsx';
import classes from './original-files.module.css';
import { saveFile } from './save-file.ts';

const text = messages.files;
/** A URL that works for less than this is not used any more. */
const LEAST_MS = 10_000;

/** The original files of an entry, as the API returns them. Each URL works for five minutes. */
export type Originals = {
  files: {
    item: number;
    file_name: string;
    size_bytes: number;
    sha256: string;
    url: string;
    expires_at: string;
  }[];
  zip_url: string;
};

type OriginalFilesProps = {
  originals: Originals;
  /** The name of the ZIP. */
  zipName: string;
  /** Fetches the files again, with new URLs. Without it, the list ends with its URLs. */
  renew: () => Promise<Originals>;
};

/**
 * Original files with their sizes, hashes, and downloads. The page fetches each file itself, so that it can say why a file
 * is not available.
 */
export function OriginalFiles({ originals, zipName, renew }: OriginalFilesProps) {
  const { busy, message, failure, save } = useSaving(originals, renew);
  const { files } = originals;
  const isSet = files.length > 1;
  return (
    <div className={classes.all}>
      <ul className={classes.files}>
        {files.map(({ item, file_name: name, size_bytes: size, sha256 }) => (
          <li key={item} className={classes.file}>
            <span className={classes.name}>{name}</span>
            <span className={classes.facts}>
              <span className="soft">{bytes(size)}</span>
              <CopyText value={sha256} what={text.sha256Of({ name })} shown={text.sha256} />
            </span>
            <Action
              icon={<Download size={18} aria-hidden="true" />}
              label={isSet ? text.download : text.original}
              // In a set, the visible label is the same for each file.
              {...(isSet ? { name: text.downloadOf({ name }) } : {})}
              isMain={!isSet}
              busy={busy}
              onClick={() => void save(name, (fresh) => fresh.files.find((file) => file.item === item)?.url)}
            />
          </li>
        ))}
      </ul>
      {isSet ? (
        <Action
          icon={<FolderDown size={18} aria-hidden="true" />}
          label={text.all}
          isMain
          busy={busy}
          onClick={() => void save(zipName, (fresh) => fresh.zip_url)}
        />
      ) : null}
      <p role="status" className={classes.status}>
        {message}
      </p>
      {failure ? (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      ) : null}
    </div>
  );
}

type ActionProps = {
  icon: ReactNode;
  label: string;
  name?: string;
  isMain: boolean;
  busy: boolean;
  onClick: () => void;
};

/** A button that keeps the focus while a download runs. */
function Action({ icon, label, name, isMain, busy, onClick }: ActionProps) {
  return (
    <button
      type="button"
      className={classes.action}
      data-main={isMain}
      aria-disabled={busy}
      {...(name === undefined ? {} : { 'aria-label': name })}
      onClick={() => {
        if (!busy) onClick();
      }}
    >
      {icon}
      {label}
    </button>
  );
}

function useSaving(originals: Originals, renew: () => Promise<Originals>) {
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  async function save(name: string, urlIn: (originals: Originals) => string | undefined): Promise<void> {
    setBusy(true);
    setFailure(null);
    setMessage(text.busy);
    try {
      const url = urlIn(isFresh(originals) ? originals : await renew());
      if (url !== undefined) saveFile(await fetchFile(url), name);
      setMessage(text.done({ name }));
    } catch (error) {
      setMessage('');
      setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  }
  return { busy, message, failure, save };
}

function isFresh({ files }: Originals): boolean {
  const nowMs = Date.now() + serverAheadMs();
  return files.every(({ expires_at: end }) => Date.parse(end) - nowMs > LEAST_MS);
}
