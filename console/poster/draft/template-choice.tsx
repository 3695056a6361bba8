import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ApiData, apiQuery } from '../../api/public.ts';
import { ConfirmDialog } from '../../components/feedback/public.ts';
import { posterBrief } from '../../messages/public.ts';
import classes from './brief-help.module.css';
import type { DraftValues } from './draft-values.ts';
import type { Draft } from './use-draft.ts';

type Template = ApiData<'GET /templates'>['templates'][number];

const text = posterBrief.templates;

/** Templates that fill in the texts of a brief, each with completed briefs of its kind. */
export function TemplateChoice({ draft, opened }: { draft: Draft; opened: boolean }) {
  const { data } = useQuery({ ...apiQuery('GET /templates', {}), staleTime: 600_000 });
  const [replacing, setReplacing] = useState<Template | null>(null);
  const { title, description, requirements } = draft.values;
  const hasTexts = [title, description, requirements].some((each) => each.trim() !== '');
  if (!data) return null;
  return (
    <details className={classes.help} open={opened}>
      <summary>{text.title}</summary>
      <p className={classes.note}>{text.lead}</p>
      <ul className={classes.templates}>
        {data.templates.map((template) => (
          <li key={template.id}>
            <strong>{template.name}</strong>
            <span>{template.summary}</span>
            <Examples template={template} />
            <Button
              variant="default"
              size="xs"
              aria-label={text.use({ name: template.name })}
              onClick={() => (hasTexts ? setReplacing(template) : draft.fill(valuesOf(template)))}
            >
              {text.use({ name: template.name })}
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={replacing !== null}
        title={text.replaceTitle}
        confirm={text.replace}
        onConfirm={async () => {
          if (replacing) draft.fill(valuesOf(replacing));
        }}
        onClose={() => setReplacing(null)}
      >
        <p>{text.replaceText}</p>
      </ConfirmDialog>
    </details>
  );
}

function Examples({ template: { examples } }: { template: Template }) {
  if (examples.length === 0) return null;
  return (
    <span className={classes.examples}>
      <span className={classes.note}>{text.examples}</span>
      {examples.map(({ id, title }) => (
        <Link key={id} to="/projects/$projectId" params={{ projectId: id }} target="_blank">
          {title}
        </Link>
      ))}
    </span>
  );
}

function valuesOf({ brief }: Template): Partial<DraftValues> {
  return {
    title: brief.title,
    description: brief.description,
    requirements: brief.requirements,
    specializations: brief.specializations,
    item_count: String(brief.item_count),
    size_requirements: brief.size_requirements,
    color_preferences: brief.color_preferences.join(', '),
    tags: brief.tags.join(', '),
  };
}
