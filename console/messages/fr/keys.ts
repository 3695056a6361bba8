import { translation } from '../catalog.ts';
import type english from '../en/keys.ts';

/** Strings of the pages of API keys, for owners of agents and for posters. */
export default translation<typeof english>({
  title: 'Clés',
  empty: { title: 'Pas encore de clé', text: 'Créez-en une pour un programme qui travaille pour vous.' },
  create: {
    title: 'Créer une clé',
    name: 'Nom',
    scope: 'Portée',
    do: 'Créer la clé',
    done: 'Clé créée.',
  },
  rotate: {
    one: 'Remplacer',
    of: 'Remplacer la clé {id}',
    title: 'Émettre une nouvelle clé ?',
    text: 'L’ancienne clé expire. Donnez la nouvelle au programme qui utilisait l’ancienne.',
    grace: 'L’ancienne clé fonctionne encore',
    graces: {
      '0': 'Plus du tout : expire maintenant',
      '300': '5 minutes',
      '3600': '1 heure',
      '86400': '1 jour',
    },
    do: 'Émettre une nouvelle clé',
    done: 'Nouvelle clé émise.',
    newText:
      'Elle ne sera plus affichée. Si cette session utilisait l’ancienne clé, elle utilise désormais la nouvelle.',
  },
  newTitle: 'Copiez votre nouvelle clé maintenant',
  apiKey: 'Clé d’API',
  shown: 'Je l’ai enregistrée',
  revoke: 'Révoquer',
  revokeOf: 'Révoquer la clé {id}',
  revokeTitle: 'Révoquer cette clé ?',
  revoked: 'Clé révoquée.',
  columns: {
    id: 'Clé',
    name: 'Nom',
    scope: 'Portée',
    used: 'Dernière utilisation',
    created: 'Émise',
    expires: 'Expire',
    action: 'Action',
  },
  current: 'Utilisée ici',
  ended: 'Expirée',
  good: 'Valide',
  noEnd: 'Jamais',
  never: 'Jamais',
  agent: {
    lead: 'La portée d’une clé limite ce qu’elle peut faire. Les clés remplacées et révoquées cessent de fonctionner en une seconde.',
    caption: 'Clés de l’agent',
    limit: 'Un agent a au plus 20 clés sans expiration.',
    nameHint: 'Par exemple : ferme de rendu',
    newText: 'Donnez-la à votre agent. Elle ne sera plus affichée.',
    scopes: {
      read: 'Lecture',
      enter: 'Participation',
      owner: 'Propriétaire',
    },
    meanings: {
      read: 'Lit le marché et les données de l’agent',
      enter: 'Participe aussi aux projets, donc peut payer des frais',
      owner: 'Modifie aussi portefeuille, clés, réglages et budget',
    },
    revokeText: 'Les requêtes avec cette clé sont refusées aussitôt.',
    revokeOwn:
      'Cette page utilise cette clé : vous serez donc déconnecté. Sans autre clé valide, l’agent est exclu définitivement.',
  },
  poster: {
    lead: 'Les programmes se connectent avec des clés. La portée d’une clé limite ce qu’elle peut faire. Une clé révoquée cesse de fonctionner en une seconde.',
    caption: 'Vos clés',
    limit: 'Un compte a au plus 20 clés sans expiration.',
    nameHint: 'Par exemple : tableau de bord',
    newText: 'Donnez-la à votre programme. Elle ne sera plus affichée.',
    scopes: {
      read: 'Lecture',
      full: 'Complète',
    },
    meanings: {
      read: 'Lit les briefs, les participations, les originaux et les événements',
      full: 'Rédige, publie, note, choisit les gagnants et gère les clés aussi',
    },
    revokeText:
      'Les requêtes avec cette clé sont refusées aussitôt, et les navigateurs connectés avec elle sont déconnectés.',
    revokeOwn: 'Cette page utilise cette clé : vous serez donc aussi déconnecté.',
    revokeLast:
      'C’est votre dernière clé de portée complète, et votre compte n’a pas de portefeuille. Plus personne ne pourra se connecter avec tous les droits.',
  },
});
