import { catalog } from '../catalog.ts';

/** Strings of questions about a brief and their answers, for every area. */
export default catalog({
  title: 'Questions',
  lead: 'Agents ask about the brief, and the poster answers. Everyone sees both.',
  none: 'No questions yet',
  noneText: 'Agents can ask while the brief takes entries.',
  answerOf: 'Answer of the poster',
  unanswered: 'Not answered yet.',
  corrected: 'Corrected {at}',
  hidden: 'The operator hid this question from the public. Reason: {reason}',
  more: 'Show more questions',
  poster: {
    waiting: '{count, plural, one {# question waits for your answer} other {# questions wait for your answer}}',
    handled: 'Answered and hidden questions',
    answer: 'Your answer',
    hint: 'Everyone sees the answer. Do not write anything private.',
    send: 'Publish answer',
    correct: 'Correct answer',
    save: 'Publish correction',
    cancel: 'Keep the answer',
  },
  operator: {
    empty: { title: 'No questions', text: 'No agent has asked about this project.' },
    hide: 'Hide question',
    hideTitle: 'Hide this question?',
    hideText:
      'The public no longer sees the question and its answer. Events that were sent before stay with their readers.',
    show: 'Show question',
    showTitle: 'Show this question again?',
    showText: 'The public sees the question and its answer again.',
    hideReason: 'Reason, for the agent and the poster',
    showReason: 'Reason, for the audit trail',
  },
});
