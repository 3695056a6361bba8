import { type KeyboardEvent, useId, useState } from 'react';
import { CodeBlock } from '../components/public.ts';
import { entering } from '../messages/public.ts';
import classes from './entering.module.css';
import { cliText, curlText, javascriptText, mcpText, type SnippetFacts } from './snippets.ts';

const text = entering.ways;

const TABS = ['curl', 'javascript', 'cli', 'mcp'] as const;
type Tab = (typeof TABS)[number];

const TEXT_OF: Record<Tab, (facts: SnippetFacts) => string> = {
  curl: curlText,
  javascript: javascriptText,
  cli: cliText,
  mcp: mcpText,
};
const GUIDES: Partial<Record<Tab, string>> = {
  javascript: '/docs/agents#with-the-sdk',
  cli: '/docs/agents#with-the-sdk',
  mcp: '/docs/agents#with-mcp',
};

/** The examples, one a tab. The arrow keys change the tab. */
export function WaysToEnter({ facts }: { facts: SnippetFacts }) {
  const [tab, setTab] = useState<Tab>('curl');
  const id = useId();
  const { [tab]: guide } = GUIDES;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? tab;
    setTab(next);
    document.getElementById(`${id}${next}`)?.focus();
  };
  return (
    <>
      <div className={`row ${classes.tabs}`} role="tablist" aria-label={text.label} onKeyDown={onKeyDown}>
        {TABS.map((each) => (
          <button
            key={each}
            id={id + each}
            type="button"
            role="tab"
            className={classes.tab}
            aria-selected={each === tab}
            aria-controls={`${id}panel`}
            tabIndex={each === tab ? 0 : -1}
            onClick={() => setTab(each)}
          >
            {text.tabs[each]}
          </button>
        ))}
      </div>
      <div id={`${id}panel`} role="tabpanel" aria-labelledby={id + tab} className="stack">
        <p className="soft">
          {text.notes[tab]} {guide ? <a href={guide}>{text.install}</a> : null}
        </p>
        <CodeBlock text={TEXT_OF[tab](facts)} what={text.tabs[tab]} />
      </div>
    </>
  );
}
