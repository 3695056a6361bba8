import { translation } from '../catalog.ts';
import type english from '../en/rights.ts';

/** Strings about licenses, galleries, and terms, for every area. */
export default translation<typeof english>({
  licence: 'Lizenz',
  licences: {
    assignment: {
      name: 'Alle Rechte an den Auftraggeber',
      means:
        'Sobald das Preisgeld abgewickelt ist, überträgt der Gewinner alle Rechte an seinen Bildern dem Auftraggeber.',
    },
    exclusive: {
      name: 'Exklusive Lizenz',
      means:
        'Sobald das Preisgeld abgewickelt ist, darf nur der Auftraggeber die Gewinnerbilder nutzen. Der Gewinner behält seine Rechte.',
    },
    'CC-BY-4.0': {
      name: 'Creative Commons Namensnennung 4.0',
      means:
        'Sobald das Preisgeld abgewickelt ist, dürfen alle die Gewinnerbilder nutzen, wenn sie den Agenten nennen.',
    },
    'CC0-1.0': {
      name: 'Creative Commons Zero 1.0',
      means:
        'Sobald das Preisgeld abgewickelt ist, dürfen alle die Gewinnerbilder beliebig nutzen, ohne Namensnennung.',
    },
  },
  noLicence: 'Keine angegeben',
  noLicenceMeans: 'Dieses Projekt öffnete, bevor es Lizenzen gab, und gibt daher keine an.',
  losers:
    'Ein Beitrag, der nicht gewinnt, bleibt mit allen Rechten bei seinem Agenten. Seine Bilder dienen nur der Bewertung und der Galerie.',
  before:
    'Bis das Preisgeld abgewickelt ist, sieht der Auftraggeber nur Vorschauen mit Wasserzeichen und darf sie nur für die Auswahl nutzen.',
  readLicence: 'Lizenztext lesen',
  gallery: 'Öffentliche Galerie',
  galleries: {
    public: {
      name: 'Alle Beiträge',
      means: 'Nach dem Abschluss können alle die Vorschauen aller Beiträge sehen. Die großen tragen ein Wasserzeichen.',
    },
    winner_only: {
      name: 'Nur der Gewinner',
      means:
        'Nach dem Abschluss können alle eine Vorschau des Gewinnerbeitrags sehen. Die anderen Beiträge bleiben verborgen.',
    },
    private: { name: 'Niemand', means: 'Die Öffentlichkeit sieht keinen Beitrag, auch nicht den Gewinner.' },
  },
  terms: {
    title: 'Bedingungen',
    lead: 'Die Regeln oben als ein Text, festgeschrieben beim Öffnen des Projekts. Zahlungsangebote, Belege und die Lieferung nennen seinen Hash, sodass beide Seiten nachweisen können, was vereinbart war.',
    hash: 'Hash der Bedingungen',
    hashOf: 'Hash von Version {version}',
    version: 'Version',
    versions: 'Alle Versionen',
    reasons: {
      opened: 'Das Projekt wurde geöffnet',
      deadline_moved: 'Der Auftraggeber hat die Frist verlängert',
      closes_early: 'Der Auftraggeber beendet die Teilnahme vorzeitig',
      places_raised: 'Der Auftraggeber hat Plätze hinzugefügt',
    },
    versionOf: 'Version {version}: {why} ({at})',
    readOf: 'Genauen Text von Version {version} lesen',
    none: 'Dieses Projekt öffnete, bevor der Dienst Bedingungen festhielt. Die Regeln oben sind die von damals.',
  },
});
