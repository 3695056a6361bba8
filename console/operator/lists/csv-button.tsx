import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Route } from '../../api/public.ts';
import { saveFile } from '../../components/public.ts';
import { operatorDesk } from '../../messages/public.ts';

const text = operatorDesk.csv;

/** Saves the whole list with its filters, not only the rows that the page shows. */
export function CsvButton({ route, query }: { route: Route; query: Partial<Record<string, string>> }) {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<string | null>(null);

  async function save() {
    setBusy(true);
    setResult(null);
    try {
      const path = route.slice('GET '.length);
      const search = new URLSearchParams(
        Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])),
      );
      const answer = await fetch(`/api/v1${path}?${search.toString()}`, {
        headers: { accept: 'text/csv' },
      });
      if (!answer.ok) throw new Error(String(answer.status));
      saveFile(await answer.blob(), `${path.split('/').at(-1) ?? 'list'}.csv`);
      setResult(text.saved);
    } catch {
      setResult(text.failed);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button variant="default" size="xs" loading={busy} onClick={() => void save()}>
        {text.save}
      </Button>
      <span role="status" className="soft">
        {result}
      </span>
    </>
  );
}
