import { Button } from '@mantine/core';
import type { ApiData } from '../../api/public.ts';
import { Section } from '../../components/layout/public.ts';
import { questions as words } from '../../messages/public.ts';
import { QuestionList } from '../../questions/public.ts';
import { type Action, Paged } from '../../signed-in/public.ts';
import { LIST_MS, operatorStore, useApiPages } from '../area/public.ts';
import type { Ask } from './project-actions.tsx';

const text = words.operator;

type Question = ApiData<'GET /operator/projects/{project_id}/questions'>['questions'][number];

/** The questions about a project, hidden ones too. The operator hides a question from the public, or shows it again. */
export function Questions({ projectId, ask }: { projectId: string; ask: Ask }) {
  const query = useApiPages(
    'GET /operator/projects/{project_id}/questions',
    { params: { project_id: projectId }, query: { limit: 20 } },
    { next: (page) => page.next_cursor, everyMs: LIST_MS },
  );
  const questions = query.data?.pages.flatMap((page) => page.questions) ?? [];
  return (
    <Section title={words.title}>
      <Paged query={query} count={questions.length} empty={text.empty}>
        <QuestionList label={words.title} questions={questions} onMore={null}>
          {(question) => (
            <div>
              <Button variant="default" onClick={() => ask(actionOn(question))}>
                {question.hidden === null ? text.hide : text.show}
              </Button>
            </div>
          )}
        </QuestionList>
      </Paged>
    </Section>
  );
}

function actionOn({ id, hidden }: Question): Action {
  const isHiding = hidden === null;
  return {
    title: isHiding ? text.hideTitle : text.showTitle,
    text: isHiding ? text.hideText : text.showText,
    confirm: isHiding ? text.hide : text.show,
    reason: isHiding ? text.hideReason : text.showReason,
    run: async (reason) => {
      const path = 'POST /operator/questions/{question_id}/visibility';
      return (await operatorStore.api.call(path, { params: { question_id: id }, body: { hidden: isHiding, reason } }))
        .message;
    },
  };
}
