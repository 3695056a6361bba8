import { Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { keys, messages } from '../messages/public.ts';

type NewSecretProps = { title: string; text: string; what: string; value: string; onDone: () => void };

/** Shows a new secret once, until the user confirms that it is saved. */
export function NewSecret({ title, text, what, value, onDone }: NewSecretProps) {
  const [copied, setCopied] = useState(false);
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <section ref={place} className="secret stack" aria-label={title} tabIndex={-1} data-shown-once>
      <h2>{title}</h2>
      <p>{text}</p>
      <output className="words" aria-label={what}>
        {value}
      </output>
      <div className="row">
        <Button
          leftSection={copied ? <Check size={18} aria-hidden="true" /> : <Copy size={18} aria-hidden="true" />}
          onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}
        >
          {copied ? messages.copy.copied : messages.copy.copy({ what })}
        </Button>
        <Button variant="default" onClick={onDone}>
          {keys.shown}
        </Button>
      </div>
    </section>
  );
}
