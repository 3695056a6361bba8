import { Download, FolderDown } from 'lucide-react';
import { useState } from 'react';
import { fetchFile, serverAheadMs } from '../../api/public.ts';
import { bytes } from '../../format/public.ts';
import { messages } from '../../messages/public.ts';
import { PlainButton, PrimaryButton } from '../controls/plain-button.tsx';
import { Failure } from '../feedback/page-states.tsx';
import { useWork } from '../feedback/use-work.ts';
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
  zipName: string;
  /** Fetches the files again, with new URLs. Without it, the downloads end with their URLs. */
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
  const Button = isSet ? PlainButton : PrimaryButton;
  return (
    <div className="stack start">
      <ul className={`stack ${classes.files}`}>
        {files.map(({ item, file_name: name, size_bytes: size, sha256 }) => (
          <li key={item} className="stack start">
            <span className="strong">{name}</span>
            <span className="row">
              <span className="soft">{bytes(size)}</span>
              <CopyText value={sha256} what={text.sha256Of({ name })} shown={text.sha256} />
            </span>
            <Button
              small={isSet}
              // In a set, the visible label is the same for each file.
              label={isSet ? text.downloadOf({ name }) : undefined}
              busy={busy}
              onClick={() => void save(name, (fresh) => fresh.files.find((file) => file.item === item)?.url)}
            >
              <Download size={18} aria-hidden="true" />
              {isSet ? text.download : text.original}
            </Button>
          </li>
        ))}
      </ul>
      {isSet ? (
        <PrimaryButton busy={busy} onClick={() => void save(zipName, (fresh) => fresh.zip_url)}>
          <FolderDown size={18} aria-hidden="true" />
          {text.all}
        </PrimaryButton>
      ) : null}
      <p role="status" className="soft small">
        {message}
      </p>
      <Failure>{failure}</Failure>
    </div>
  );
}

function useSaving(originals: Originals, renew: () => Promise<Originals>) {
  const { busy, failure, run } = useWork();
  const [message, setMessage] = useState('');
  const save = (name: string, urlIn: (originals: Originals) => string | undefined) =>
    run(async () => {
      setMessage(text.busy);
      const url = urlIn(isFresh(originals) ? originals : await renew());
      if (url !== undefined) saveFile(await fetchFile(url), name);
      setMessage(text.done({ name }));
    });
  return { busy, message: failure === null ? message : '', failure, save };
}

function isFresh({ files }: Originals): boolean {
  const nowMs = Date.now() + serverAheadMs();
  return files.every(({ expires_at: end }) => Date.parse(end) - nowMs > LEAST_MS);
}
