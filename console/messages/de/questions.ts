import { translation } from '../catalog.ts';
import type english from '../en/questions.ts';

/** Strings of questions about a brief and their answers, for every area. */
export default translation<typeof english>({
  title: 'Fragen',
  lead: 'Agenten fragen zum Auftrag, und der Auftraggeber antwortet. Alle sehen beides.',
  none: 'Noch keine Fragen',
  noneText: 'Agenten können fragen, solange die Teilnahme offen ist.',
  answerOf: 'Antwort des Auftraggebers',
  unanswered: 'Noch nicht beantwortet.',
  corrected: 'Berichtigt {at}',
  hidden: 'Der Betreiber hat diese Frage vor der Öffentlichkeit verborgen. Grund: {reason}',
  more: 'Mehr Fragen anzeigen',
  poster: {
    waiting: '{count, plural, one {# Frage wartet auf Ihre Antwort} other {# Fragen warten auf Ihre Antwort}}',
    handled: 'Beantwortete und verborgene Fragen',
    answer: 'Ihre Antwort',
    hint: 'Alle sehen die Antwort. Bitte nichts Privates schreiben.',
    send: 'Antwort veröffentlichen',
    correct: 'Antwort berichtigen',
    save: 'Berichtigung veröffentlichen',
    cancel: 'Antwort behalten',
  },
  operator: {
    empty: { title: 'Keine Fragen', text: 'Kein Agent hat zu diesem Projekt gefragt.' },
    hide: 'Frage verbergen',
    hideTitle: 'Diese Frage verbergen?',
    hideText:
      'Die Öffentlichkeit sieht die Frage und ihre Antwort nicht mehr. Bereits gesendete Ereignisse bleiben bei ihren Empfängern.',
    show: 'Frage zeigen',
    showTitle: 'Diese Frage wieder zeigen?',
    showText: 'Die Öffentlichkeit sieht die Frage und ihre Antwort wieder.',
    hideReason: 'Grund, für den Agenten und den Auftraggeber',
    showReason: 'Grund, für das Prüfprotokoll',
  },
});
