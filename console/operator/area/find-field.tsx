import { Button, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApiData } from '../../api/public.ts';
import { useWork, InputError } from '../../components/public.ts';
import { shortHash } from '../../format/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import classes from './find-field.module.css';
import { named } from './links.tsx';
import { operatorStore } from './operator-store.ts';

type Found = ApiData<'GET /operator/find'>['results'][number];

const text = operatorDesk.find;
const MONEY = { payment: '/operator/money', payout: '/operator/money/payouts', stray: '/operator/money/strays' };

/** One field that finds an exact id, hash, or address. One hit opens its page; several are listed. */
export function FindField() {
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<Found[] | null>(null);
  const { failure, act } = useWork();
  const navigate = useNavigate();
  // Results belong to the text that was typed for them.
  useEffect(() => setFound(null), [typed]);

  const find = async () => {
    const q = typed.trim();
    if (q === '') return;
    const { results } = await operatorStore.api.call('GET /operator/find', { query: { q } });
    const [only] = results;
    if (!only) throw new InputError(text.none);
    if (results.length === 1) void navigate({ to: placeOf(only) }).then(() => setTyped(''));
    else setFound(results);
  };

  return (
    <search className={classes.find}>
      <form onSubmit={act(find)} className="row">
        <TextInput
          className={classes.field}
          aria-label={text.label}
          placeholder={text.hint}
          leftSection={<Search size={18} aria-hidden="true" />}
          maxLength={100}
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {text.go}
        </Button>
      </form>
      <p role="status" className="soft">
        {failure}
      </p>
      {found === null || found.length === 0 ? null : (
        <ul className="card padded stack" aria-label={text.results}>
          {found.map((each) => (
            <li key={`${each.kind} ${each.id}`}>
              <span className="soft">{operatorDesk.search.kinds[each.kind]}</span>{' '}
              <Link to={placeOf(each)} onClick={() => setTyped('')}>
                {nameOf(each)}
              </Link>{' '}
              <code title={each.id}>{shortHash(each.id)}</code>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

/** Money without a project opens its list. */
function placeOf({ kind, id, project_id: projectId }: Found): string {
  if (kind === 'agent' || kind === 'poster') return `/operator/people/${kind}s/${id}`;
  if (projectId !== null) return `/operator/projects/${projectId}`;
  return kind in MONEY ? MONEY[kind as keyof typeof MONEY] : '/operator/projects';
}

/** A title or a name; of money, its kind and its state. */
function nameOf({ kind, name }: Found): string {
  if (!(kind in MONEY)) return name;
  if (kind === 'stray') return named(operator.strays.states, name);
  const [of = '', state = ''] = name.split(' ');
  const names = kind === 'payment' ? operator.payments : operator.payouts;
  return `${named(names.kinds, of)} · ${named(names.states, state)}`;
}
