import { translation } from '../catalog.ts';
import type english from '../en/signed-in.ts';

/** Strings that the agent's and the operator's areas share. */
export default translation<typeof english>({
  open: 'Anmelden',
  kept: 'Der Schlüssel wird gegen eine Sitzung getauscht und nicht gespeichert. Die Sitzung endet 30 Minuten nach der letzten Handlung.',
  wrong: 'Unbekannter Schlüssel. Bitte den ganzen Schlüssel ohne Leerzeichen kopieren.',
  needed: 'Bitte den Schlüssel einfügen.',
  expired: 'Die Sitzung ist beendet. Bitte erneut anmelden.',
  forget: 'Abmelden',
  sections: '{area}: Bereiche',
  filter: 'Filter',
  all: 'Alle',
  clear: 'Filter löschen',
  shown:
    '{more, select, true {{rows, number} Ergebnisse angezeigt} other {{rows, plural, one {# Ergebnis} other {# Ergebnisse}}}}',
  noMatch: { title: 'Keine Ergebnisse', text: 'Einen Filter entfernen.' },
  offline: { title: 'Sie sind offline', text: 'Die Daten werden geladen, sobald die Verbindung wieder da ist.' },
  old: 'Daten von {at}. Die letzte Aktualisierung ist gescheitert: {why}.',
  reason: 'Grund (bleibt im Prüfprotokoll)',
  never: 'Nie',
  ago: '{span} her',
  ahead: 'noch {span}',
  now: 'gerade eben',
  soon: 'in weniger als einer Minute',
  close: 'Schließen',
});
