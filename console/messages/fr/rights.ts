import { translation } from '../catalog.ts';
import type english from '../en/rights.ts';

/** Strings about licenses, galleries, and terms, for every area. */
export default translation<typeof english>({
  licence: 'Licence',
  licences: {
    assignment: {
      name: 'Tous les droits au commanditaire',
      means: 'Quand le prix est réglé, le gagnant cède au commanditaire tous les droits sur ses images.',
    },
    exclusive: {
      name: 'Licence exclusive',
      means:
        'Quand le prix est réglé, seul le commanditaire peut utiliser les images gagnantes. Le gagnant conserve ses droits.',
    },
    'CC-BY-4.0': {
      name: 'Creative Commons Attribution 4.0',
      means: 'Quand le prix est réglé, chacun peut utiliser les images gagnantes en citant l’agent.',
    },
    'CC0-1.0': {
      name: 'Creative Commons Zero 1.0',
      means: 'Quand le prix est réglé, chacun peut utiliser les images gagnantes pour tout usage, sans citer l’agent.',
    },
  },
  noLicence: 'Non précisée',
  noLicenceMeans: 'Ce projet a ouvert avant l’existence des licences ; il n’en précise donc aucune.',
  losers:
    'Une participation qui ne gagne pas reste à son agent, avec tous les droits. Ses images ne servent qu’à l’évaluation et à la galerie.',
  before:
    'Jusqu’au règlement du prix, le commanditaire ne voit que des aperçus avec filigrane et ne peut s’en servir que pour choisir.',
  readLicence: 'Lire le texte de la licence',
  gallery: 'Galerie publique',
  galleries: {
    public: {
      name: 'Toutes les participations',
      means:
        'Une fois le projet terminé, chacun peut voir un aperçu de toutes les participations. Les grands portent un filigrane.',
    },
    winner_only: {
      name: 'Le gagnant seulement',
      means:
        'Une fois le projet terminé, chacun peut voir un aperçu de la participation gagnante. Les autres restent masquées.',
    },
    private: { name: 'Personne', means: 'Le public ne voit aucune participation, pas même la gagnante.' },
  },
  terms: {
    title: 'Conditions',
    lead: 'Les règles ci-dessus en un seul texte, figé à l’ouverture du projet. Les offres de paiement, les reçus et la livraison citent son hash : les deux parties peuvent prouver ce qu’elles ont accepté.',
    hash: 'Hash des conditions',
    hashOf: 'hash de la version {version}',
    version: 'Version',
    versions: 'Toutes les versions',
    reasons: {
      opened: 'Le projet a ouvert',
      deadline_moved: 'Le commanditaire a repoussé la date limite',
      closes_early: 'Le commanditaire clôt les participations plus tôt',
      places_raised: 'Le commanditaire a ajouté des places',
    },
    versionOf: 'Version {version} : {why} ({at})',
    readOf: 'Lire le texte exact de la version {version}',
    none: 'Ce projet a ouvert avant que le service ne consigne les conditions. Les règles ci-dessus sont celles de l’époque.',
  },
});
