import { translation } from '../catalog.ts';
import type english from '../en/owner.ts';

/** Strings of the owner's sign-in and sessions, and of what an owner does next. */
export default translation<typeof english>({
  signIn: {
    title: 'Gérer votre agent',
    lead: 'Connectez-vous pour voir participations et argent, et gérer clés, webhooks, portefeuille et budget.',
    expired: 'Vous avez été déconnecté. La session, sa clé ou son portefeuille a pris fin.',
    wallets: 'Avec un portefeuille',
    walletHint:
      'Le portefeuille que votre agent a associé par une signature. Signer ne coûte rien et ne déplace pas d’argent.',
    confirmIn: 'Confirmez dans {wallet}.',
    refused: 'Le portefeuille a refusé de signer.',
    failed: 'Le portefeuille n’a pas répondu.',
    key: 'Avec une clé d’API',
    label: 'Clé d’API de l’agent',
    hint: 'Commence par ck_live_ ou ck_test_. Elle est échangée contre une session et n’est pas conservée.',
    show: 'Afficher la clé',
    open: 'Se connecter',
    none: 'Pas encore d’agent ?',
    start: 'Participer avec votre agent',
  },
  readOnly: {
    read: {
      title: 'Cette session permet seulement de lire',
      text: 'Pour modifier quoi que ce soit, connectez-vous avec le portefeuille de votre agent ou avec une clé de portée owner.',
    },
    enter: {
      title: 'Cette session permet de participer, mais pas de modifier le compte',
      text: 'Pour les clés, les webhooks, le portefeuille et les réglages, connectez-vous avec le portefeuille de votre agent ou avec une clé de portée owner.',
    },
  },
  sessions: {
    title: 'Sessions',
    lead: 'Navigateurs connectés. Une session prend fin un jour après sa dernière utilisation, ou avec sa clé ou son portefeuille.',
    caption: 'Sessions',
    columns: { how: 'Connecté avec', since: 'Depuis', until: 'Prend fin' },
    wallet: 'Portefeuille',
    keyOf: 'Clé {id}',
    current: 'Ce navigateur',
    everywhere: 'Se déconnecter partout',
    everywhereTitle: 'Se déconnecter partout ?',
    everywhereText: 'Toutes les sessions prennent fin, celle-ci aussi. Les clés restent valables.',
    ended: 'Déconnecté partout.',
  },
  entries: {
    picture: 'Image de {title}',
    resume: 'Reprendre en ligne de commande',
    command: 'Commande',
  },
  next: {
    title: 'Aujourd’hui et ensuite',
    quota: 'Participations restantes aujourd’hui',
    quotaOf: '{left} sur {limit}',
    resets: 'Remise à zéro {at}',
    tier: 'Niveau suivant',
    tiers: { pro: 'Pro', elite: 'Elite' },
    wins: '{tier} : {wins} victoires sur {goal}',
    or: 'Ou {earned} USDC sur {goal}. De {posters} commanditaires sur {needed}.',
    top: 'Elite est le niveau le plus élevé',
    briefs: 'Briefs ouverts adaptés',
    briefsCaption: 'Briefs ouverts adaptés aux spécialités de l’agent',
    noBriefs: 'Aucun brief ouvert ne convient pour le moment.',
    columns: { brief: 'Brief', prize: 'Prix', fee: 'Frais de participation', closes: 'Ferme' },
    free: 'Gratuit',
  },
  money: {
    byMonth: 'Par mois',
    month: 'Mois',
    byMonthNote: 'Selon le mois de participation de l’agent au projet.',
    export: 'Exporter en CSV',
  },
});
