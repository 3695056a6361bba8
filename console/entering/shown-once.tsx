import { useEffect, useRef } from 'react';
import { CodeBlock } from '../components/public.ts';

/** A new secret, which the page shows until it closes. */
export function ShownOnce({ title, text, what, value }: { title: string; text: string; what: string; value: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} className="secret stack" tabIndex={-1} data-shown-once role="group" aria-label={title}>
      <h3>{title}</h3>
      <p>{text}</p>
      <CodeBlock text={value} what={what} wrap />
    </div>
  );
}
