// The decision of docs/posters.md, "Who sees what": which bytes each caller obtains of each picture.

export const roles = [
  'anonymous',
  'another agent',
  'the loser',
  'the winner',
  'another poster',
  'the poster',
  'the operator',
] as const;
export type Role = (typeof roles)[number];

export const states = [
  'pending', 'open', 'judging', 'awarded, not settled', 'settled', 'settled, winner only', 'settled, private', 'shared',
  'cancelled', 'loser disqualified',
] as const; // prettier-ignore
export type State = (typeof states)[number];

export const owners = ['the winner', 'the loser'] as const;
export type Owner = (typeof owners)[number];

export const ITEMS = [1, 2];
export const variants = ['original', 'zip', 'image', 'thumbnail'] as const;
export type Variant = (typeof variants)[number];
/** The kinds of bytes that arrive: nothing, a watermarked copy, a plain copy, the judged bytes, or several of these. */
export type Seen = 'marked' | 'plain' | 'bytes';

export const COMPLETED: State[] = [
  'settled',
  'settled, winner only',
  'settled, private',
  'shared',
  'loser disqualified',
];

/** The copies that the public sees: none before completion, and then what the gallery of the project says. */
function publicly(state: State, owner: Owner, variant: Variant): Seen[] {
  if (variant === 'original' || variant === 'zip' || !COMPLETED.includes(state)) return [];
  if (state === 'settled, private') return [];
  if (owner === 'the loser' && (state === 'settled, winner only' || state === 'loser disqualified')) return [];
  return variant === 'image' ? ['marked'] : ['plain'];
}

/** The copies that the poster and the operator see in their lists of entries. */
function judging(state: State, owner: Owner, variant: Variant): Seen[] {
  if (variant === 'original' || variant === 'zip') return [];
  if (!COMPLETED.includes(state)) return ['marked'];
  const won = owner === 'the winner' && state !== 'shared';
  return variant === 'image' && !won ? ['marked'] : ['plain'];
}

function bought(state: State, owner: Owner): boolean {
  return COMPLETED.includes(state) && state !== 'shared' && owner === 'the winner';
}

/** The decision of docs/posters.md, "Who sees what". */
export function decided(role: Role, state: State, owner: Owner, variant: Variant): Seen[] {
  const everyone = publicly(state, owner, variant);
  const isOriginal = variant === 'original' || variant === 'zip';
  if (state === 'pending') return [];
  if (role === owner) return [...everyone, isOriginal ? 'bytes' : 'plain'];
  if (role === 'the operator' && isOriginal) return ['bytes'];
  // Flags show watermarked copies in every state.
  if (role === 'the operator') return [...everyone, ...judging(state, owner, variant), 'marked'];
  if (role === 'the poster' && isOriginal) return bought(state, owner) ? ['bytes'] : [];
  if (role === 'the poster') return [...everyone, ...judging(state, owner, variant)];
  return everyone;
}
