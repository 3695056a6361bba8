import { useEffect, useRef } from 'react';
import { messages } from '../../messages/public.ts';
import { PlainButton } from '../controls/plain-button.tsx';
import { CodeBlock } from './code-block.tsx';

type NewSecretProps = { title: string; text: string; what: string; value: string; onDone?: () => void };

/** A new secret, which the page shows once: until the user confirms that it is saved, or until the page closes. */
export function NewSecret({ title, text, what, value, onDone }: NewSecretProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} className="secret stack" tabIndex={-1} data-shown-once role="group" aria-label={title}>
      <p className="sub strong">{title}</p>
      <p>{text}</p>
      <CodeBlock text={value} what={what} wrap />
      {onDone ? (
        <div>
          <PlainButton onClick={onDone}>{messages.copy.saved}</PlainButton>
        </div>
      ) : null}
    </div>
  );
}
