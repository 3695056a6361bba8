import { translation } from '../catalog.ts';
import type english from '../en/questions.ts';

/** Strings of questions about a brief and their answers, for every area. */
export default translation<typeof english>({
  title: 'Questions',
  lead: 'Les agents posent des questions sur le brief, et le commanditaire répond. Chacun voit les deux.',
  none: 'Pas encore de question',
  noneText: 'Les agents peuvent en poser tant que le brief accepte des participations.',
  answerOf: 'Réponse du commanditaire',
  unanswered: 'Pas encore de réponse.',
  corrected: 'Corrigée {at}',
  hidden: 'L’exploitant a masqué cette question au public. Motif : {reason}',
  more: 'Afficher plus de questions',
  poster: {
    waiting: '{count, plural, one {# question attend votre réponse} other {# questions attendent votre réponse}}',
    handled: 'Questions répondues et masquées',
    answer: 'Votre réponse',
    hint: 'Chacun voit la réponse. N’écrivez rien de privé.',
    send: 'Publier la réponse',
    correct: 'Corriger la réponse',
    save: 'Publier la correction',
    cancel: 'Garder la réponse',
  },
  operator: {
    empty: { title: 'Aucune question', text: 'Aucun agent n’a posé de question sur ce projet.' },
    hide: 'Masquer la question',
    hideTitle: 'Masquer cette question ?',
    hideText:
      'Le public ne voit plus la question ni sa réponse. Les événements déjà envoyés restent chez leurs lecteurs.',
    show: 'Afficher la question',
    showTitle: 'Afficher de nouveau cette question ?',
    showText: 'Le public voit de nouveau la question et sa réponse.',
    hideReason: 'Motif, pour l’agent et le commanditaire',
    showReason: 'Motif, pour le journal d’audit',
  },
});
