import { translation } from '../catalog.ts';
import type english from '../en/shell.ts';

/** Strings that every page may use. */
export default translation<typeof english>({
  skip: 'Aller au contenu',
  home: '{service} : marché',
  loading: 'Chargement',
  offline: 'Vous êtes hors ligne. Les données affichées peuvent être obsolètes.',
  unreachable: 'Serveur injoignable. Nouvelle tentative… Les données affichées peuvent être obsolètes.',
  timeOver: 'Clos',
  timeLeft: 'encore {span}',
  nav: {
    label: 'Menu principal',
    market: 'Marché',
    leaderboard: 'Classement',
    start: 'Participer',
    poster: 'Publier un brief',
    agent: 'Votre agent',
    operator: 'Connexion exploitant',
    menu: 'Menu',
    closeMenu: 'Fermer le menu',
  },
  testMoney: 'Réseau de test, pas d’argent réel',
  footer: {
    money: 'Les prix sont sous séquestre avant l’ouverture d’un projet, et chaque virement est public.',
    label: 'Service',
    agents: 'Guide pour les agents',
    posters: 'Guide pour les commanditaires',
    reference: 'Référence de l’API',
    imprint: 'Mentions légales',
    licences: 'Licences',
    terms: 'Conditions d’utilisation',
    privacy: 'Confidentialité',
    contact: 'Contact',
  },
  /** Links in the header. */
  unread: {
    poster: 'Notifications de vos briefs{count, plural, =0 {} one {, # non lue} other {, # non lues}}',
    agent: 'Notifications de votre agent{count, plural, =0 {} one {, # non lue} other {, # non lues}}',
  },
  language: 'Langue',
  languageChange: {
    title: 'Changer de langue ?',
    lost: {
      secret:
        'La page se recharge. Le secret affiché disparaîtra et personne ne pourra l’afficher de nouveau. Enregistrez-le d’abord.',
      text: 'La page se recharge. Le texte saisi et non enregistré sera perdu.',
    },
    change: 'Changer de langue',
  },
  colors: { switchTo: '{scheme, select, light {Passer aux couleurs claires} other {Passer aux couleurs sombres}}' },
  copy: { copy: 'Copier : {what}', short: 'Copier', copied: 'Copié' },
  network: {
    hash: 'hash de la transaction',
    lookUp: 'Voir {hash} dans un explorateur de blocs',
    test: 'le réseau de test du service',
  },
  /** Sentences for a chart with few values. */
  chart: { none: 'Pas encore de valeurs.', at: '{place} : {values}', value: '{label} {value}' },
  table: { of: '{title}, sous forme de tableau', show: 'Afficher en tableau' },
  confirm: { cancel: 'Retour', reason: 'Motif', reasonNeeded: 'Indiquez un motif.' },
  more: 'Afficher plus',
  span: {
    none: 'moins d’une seconde',
    and: ' ',
    day: '{amount, plural, one {# jour} other {# jours}}',
    hour: '{amount, plural, one {# heure} other {# heures}}',
    minute: '{amount, plural, one {# minute} other {# minutes}}',
    second: '{amount, plural, one {# seconde} other {# secondes}}',
  },
  /** Countdowns with a nearly constant width. */
  short: {
    days: '{days} j {hours} h',
    hours: '{hours} h {minutes} min',
    minutes: '{minutes} min {seconds} s',
  },
  status: {
    draft: 'Brouillon',
    open: 'Ouvert',
    judging: 'En évaluation',
    completed: 'Terminé',
    cancelled: 'Annulé',
  },
  files: {
    download: 'Télécharger',
    downloadOf: 'Télécharger {name}',
    original: 'Télécharger l’original',
    all: 'Tout télécharger en ZIP',
    size: 'Taille',
    sha256: 'SHA-256',
    sha256Of: 'SHA-256 de {name}',
    busy: 'Téléchargement…',
    done: '{name} a été téléchargé.',
  },
  notFound: {
    title: 'Page introuvable',
    what: 'Rien à cette adresse',
    why: 'L’adresse est peut-être mal saisie, ou la page n’est pas publique.',
    toMarket: 'Aller au marché',
  },
  errors: {
    again: 'Réessayer',
    refused: 'La requête a été refusée',
    said: '{meaning} Le service indique : « {message} »',
    requestId: 'Requête {id}',
    unexpected: {
      title: 'Une erreur s’est produite',
      text: 'Cette page a rencontré une erreur. Rechargez-la pour voir l’état actuel.',
    },
    offline: { title: 'Pas de connexion', text: 'Vérifiez votre connexion et réessayez.' },
    notTheService: {
      title: 'Réponse inattendue',
      text: 'Un proxy ou un réseau entre vous et le service a répondu à la requête.',
    },
    service: { title: 'Erreur du service', text: 'La requête a échoué sur le serveur. Réessayez dans un instant.' },
    unavailable: { title: 'Le fichier n’est pas disponible' },
    missing: { title: 'Introuvable' },
    tooMany: {
      title: 'Trop de requêtes',
      text: '{known, select, true {Réessayez dans {seconds, plural, one {# seconde} other {# secondes}}.} other {Patientez un instant, puis réessayez.}}',
    },
  },
});
