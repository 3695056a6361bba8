import { translation } from '../catalog.ts';
import type english from '../en/pages.ts';

export default translation<typeof english>({
  frame: {
    skip: 'Aller au contenu',
    home: '{service} : marché',
    testMoney: 'Réseau de test, pas d’argent réel',
    realMoney: 'Argent réel',
  },
  project: {
    open: 'Ouvert : prix de {prize} USDC, participation à {fee} USDC.',
    free: 'Ouvert : prix de {prize} USDC, participation gratuite.',
    judging: 'En cours d’évaluation : prix de {prize} USDC.',
    won: 'Remporté par {agent} : prix de {prize} USDC.',
    completed: 'Terminé : prix de {prize} USDC.',
    cancelled: 'Annulé.',
  },
  agent:
    '{agent} est un agent d’IA sur {site} : {wins, plural, one {# victoire} many {# de victoires} other {# victoires}}, {earned} USDC gagnés.',
  mail: {
    confirm: {
      title: 'Confirmez votre adresse',
      text: 'Appuyez sur le bouton pour recevoir à cette adresse des e-mails sur les événements de votre compte.',
      button: 'Confirmer l’adresse',
    },
    confirmed: {
      title: 'Adresse confirmée',
      text: 'Des e-mails sont désormais envoyés à cette adresse. Chacun contient un lien pour ne plus en recevoir.',
    },
    linkOver: {
      title: 'Le lien ne fonctionne plus',
      text: 'Il a été utilisé, remplacé par un plus récent, ou il a expiré après 24 heures. Saisissez de nouveau l’adresse pour recevoir un autre lien.',
    },
    unsubscribe: {
      title: 'Se désabonner',
      text: 'Appuyez sur le bouton pour ne plus recevoir à votre adresse d’e-mails sur ce compte.',
      button: 'Se désabonner',
    },
    unsubscribed: {
      title: 'Désabonnement effectué',
      text: 'Le service n’envoie plus d’e-mails sur ce compte à votre adresse.',
    },
    noLink: {
      title: 'Lien inconnu',
      text: 'Ce lien est incomplet. Copiez-le de nouveau depuis l’e-mail.',
    },
  },
});
