import { translation } from '../catalog.ts';
import type english from '../en/signed-in.ts';

/** Strings that the agent's and the operator's areas share. */
export default translation<typeof english>({
  open: 'Se connecter',
  kept: 'Votre clé est échangée contre une session et n’est pas conservée. La session se termine 30 minutes après votre dernière action.',
  wrong: 'Clé inconnue. Copiez la clé entière, sans espaces.',
  needed: 'Collez la clé.',
  expired: 'La session est terminée. Connectez-vous à nouveau.',
  forget: 'Se déconnecter',
  sections: '{area} : rubriques',
  filter: 'Filtre',
  all: 'Tous',
  clear: 'Effacer les filtres',
  shown:
    '{more, select, true {{rows, number} résultats affichés} other {{rows, plural, one {# résultat} other {# résultats}}}}',
  noMatch: { title: 'Aucun résultat', text: 'Essayez de retirer un filtre.' },
  offline: { title: 'Vous êtes hors ligne', text: 'Les données se chargent dès le retour de la connexion.' },
  old: 'Données du {at}. La dernière mise à jour a échoué : {why}.',
  reason: 'Motif (conservé dans le journal d’audit)',
  never: 'Jamais',
  ago: 'il y a {span}',
  ahead: 'dans {span}',
  now: 'à l’instant',
  soon: 'dans moins d’une minute',
  close: 'Fermer',
});
