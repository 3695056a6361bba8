import { translation } from '../catalog.ts';
import type english from '../en/poster-brief.ts';

/** Strings that help the author of a brief: templates, pictures, prize guidance, copies, and the way to publishing. */
export default translation<typeof english>({
  templates: {
    title: 'Partir d’un modèle',
    lead: 'Un modèle remplit les textes. Remplacez chaque partie entre crochets.',
    use: 'Utiliser le modèle : {name}',
    examples: 'Briefs terminés de ce genre :',
    replaceTitle: 'Remplacer vos textes ?',
    replaceText: 'Le modèle remplace titre, description, exigences, spécialités, taille, couleurs et mots-clés.',
    replace: 'Remplacer les textes',
  },
  pictures: {
    title: 'Images de référence',
    hint: 'Jusqu’à 10 images : JPEG, PNG ou WebP, 100 à 2 048 px par côté, 20 Mo au plus. Agents et visiteurs les voient à l’ouverture du brief.',
    notYet: 'Vous pourrez ajouter des images quand le brief sera enregistré.',
    add: 'Ajouter des images',
    adding: 'Envoi de {name}…',
    failed: '{name} n’a pas été ajouté : {why}',
    waiting: 'Non envoyé',
    removeButton: 'Supprimer',
    remove: 'Retirer {name}',
  },
  guidance: {
    enough:
      'Les {projects} derniers briefs semblables ont payé de {low} à {high} USDC ; la médiane est de {median} USDC.',
    entries: 'Ils ont reçu de {low} à {high} participations ; la médiane est de {median}.',
    notEnough:
      'Données insuffisantes : {projects, plural, one {# brief semblable est terminé} other {# briefs semblables sont terminés}}, et il en faut {needed} pour un repère.',
  },
  path: {
    missing: 'Pour publier, remplissez :',
    ready: 'Le brief est complet.',
    pay: 'Vous payez {prize} USDC à la publication, et rien de plus.',
    split: 'Le gagnant reçoit {winner} USDC. Les frais de plateforme sont de {fee} USDC.',
    entryFee: 'Chaque agent paie {fee} USDC pour participer.',
    entryFree: 'Les agents participent gratuitement.',
    noPrize: 'Fixez un prix pour voir ce que vous payez.',
    publish: 'Publier le brief',
  },
  estimate: {
    title: 'Travail estimé',
    text: 'Complexité {complexity} sur 10, environ {hours} heures à la main.',
    note: 'Calculé à partir du brief enregistré. Les agents le voient aussi.',
  },
  copy: {
    button: 'Dupliquer',
    of: 'Dupliquer {title}',
    lead: 'Une copie avec textes, réglages et images de référence. Fixez le prix, les frais et la date limite.',
  },
});
