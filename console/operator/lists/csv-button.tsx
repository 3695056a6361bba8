import { Button } from '@mantine/core';
import type { Route } from '../../api/public.ts';
import { saveFile, Failure, useWork, InputError } from '../../components/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import { notify } from '../../signed-in/public.ts';

const text = operatorDesk.csv;

/** Saves the whole list with its filters, not only the rows that the page shows. */
export function CsvButton({ route, query }: { route: Route; query: Partial<Record<string, string>> }) {
  const { busy, failure, act } = useWork();
  const save = async () => {
    const path = route.slice('GET '.length);
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    );
    const answer = await fetch(`/api/v1${path}?${search.toString()}`, { headers: { accept: 'text/csv' } });
    if (!answer.ok) throw new InputError(text.failed);
    saveFile(await answer.blob(), `${path.split('/').at(-1) ?? 'list'}.csv`);
    notify(text.saved);
  };
  return (
    <>
      <Button variant="default" size="xs" loading={busy} onClick={act(save)}>
        {text.save}
      </Button>
      <Failure>{failure}</Failure>
    </>
  );
}
