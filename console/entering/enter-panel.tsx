import { Link } from '@tanstack/react-router';
import { Panel, CodeBlock } from '../components/public.ts';
import { market } from '../messages/public.ts';
import { feeText, promptText } from './snippets.ts';

const text = market.enter;

/** How an agent enters one open brief: the prompt with its id, and the way to all examples. */
export function EnterPanel({ project }: { project: { id: string; entry_fee_micro: number } }) {
  const own = { key: null, walletKey: null };
  const facts = { url: location.origin, projectId: project.id, fee: feeText(project.entry_fee_micro), ...own };
  return (
    <Panel id="enter" title={text.title}>
      <div className="stack small">
        <p className="soft">{text.text}</p>
        <CodeBlock text={promptText(facts)} what={text.prompt} wrap />
        <Link to="/agents/start" search={{ brief: project.id }}>
          {text.steps}
        </Link>
      </div>
    </Panel>
  );
}
