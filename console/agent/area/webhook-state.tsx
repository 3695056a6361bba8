import { Badge, type Tone } from '../../components/values/public.ts';
import { agent } from '../../messages/public.ts';

type State = 'active' | 'disabled' | 'failing';

const TONES: Record<State, Tone> = { active: 'good', disabled: 'bad', failing: 'warn' };

export function WebhookState({ state }: { state: State }) {
  return <Badge tone={TONES[state]}>{agent.webhook.states[state]}</Badge>;
}
