import { ExternalLink } from 'lucide-react';
import { explorerOf, useNetwork } from '../../api/public.ts';
import { shortHash } from '../../format/public.ts';
import { messages } from '../../messages/public.ts';
import { CopyText } from './copy-text.tsx';

/** Copies the hash of a transaction and, if the network has an explorer, links to it. With `inWords`, no digits are visible. */
export function TransactionHash({ hash, inWords = false }: { hash: string; inWords?: boolean }) {
  const explorer = explorerOf(useNetwork());
  return (
    <span className="row">
      <CopyText
        value={hash}
        what={messages.network.hash}
        {...(inWords ? { shown: messages.network.transaction } : {})}
      />
      {explorer ? (
        <a
          href={`${explorer}${hash}`}
          target="_blank"
          rel="noreferrer"
          aria-label={messages.network.lookUp({ hash: shortHash(hash) })}
          title={messages.network.lookUp({ hash: shortHash(hash) })}
        >
          <ExternalLink size={18} aria-hidden="true" />
        </a>
      ) : null}
    </span>
  );
}
