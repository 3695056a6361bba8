import { type Command, Option } from 'commander';
import type { ListedQuestion, PublicQuestion, Question } from '../../../sdk/src/index.ts';
import { act, type Context, onceFor } from '../context.ts';
import type { Io } from '../io.ts';
import { time } from '../output/printable.ts';
import { type Columns, pairsOf, tableOf } from '../output/table.ts';
import { limitOption, take } from './take.ts';

/** Adds the commands with which an agent asks about a brief. */
export function addQuestions(program: Command, io: Io): void {
  program
    .command('ask')
    .description('ask the poster of an open project, in public. The same question within 24 hours is asked once')
    .argument('<project>', 'id of the project')
    .argument('<question>', 'at most 500 characters')
    .action(act(io, ask));
  program
    .command('questions')
    .description('list the questions about a project, with their answers')
    .argument('<project>', 'id of the project')
    .addOption(limitOption())
    .action(act(io, list));
}

/** Adds the commands with which a poster answers. */
export function addAnswers(brief: Command, io: Io): void {
  brief
    .command('questions')
    .description('list the questions about your project')
    .argument('<project>', 'id of the project')
    .addOption(new Option('--filter <filter>', 'which ones').choices(['all', 'unanswered', 'handled']))
    .addOption(limitOption())
    .action(act(io, listOwn));
  brief
    .command('answer')
    .description('answer a question in public, or correct the answer')
    .argument('<project>', 'id of the project')
    .argument('<question>', 'id of the question')
    .argument('<answer>', 'a text for everyone')
    .action(act(io, answer));
}

async function ask(context: Context, project: string, question: string): Promise<void> {
  printQuestion(context, await (await context.agent()).ask(project, question, onceFor([project, question])));
}

async function list(context: Context, project: string, { limit }: { limit: number }): Promise<void> {
  print(context, await take((await context.visitor()).questions(project), limit));
}

type Listing = { limit: number; filter?: 'all' | 'unanswered' | 'handled' };

async function listOwn(context: Context, project: string, { limit, filter }: Listing): Promise<void> {
  const poster = await context.poster();
  print(context, await take(poster.questions(project, filter === undefined ? {} : { filter }), limit));
}

async function answer(context: Context, project: string, question: string, text: string): Promise<void> {
  printQuestion(context, await (await context.poster()).answer(project, question, text));
}

type Shown = Question | PublicQuestion | ListedQuestion;

const columns: Columns<Shown> = {
  ID: ({ id }) => id,
  ASKED: ({ asked_at: at }) => time(at),
  ANSWERED: ({ answered_at: at }) => time(at),
  QUESTION: ({ question }) => question,
  ANSWER: ({ answer: text }) => text,
};

function print(context: Context, questions: Shown[]): void {
  context.print(questions, () => tableOf(questions, columns, context.io.stdout.columns));
}

function printQuestion(context: Context, shown: Question): void {
  const { id, question, answer: text } = shown;
  context.print(shown, () => pairsOf({ id, question, answer: text }));
}
