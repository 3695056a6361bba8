import { translation } from '../catalog.ts';
import type english from '../en/poster-brief.ts';

/** Strings that help the author of a brief: templates, pictures, prize guidance, copies, and the way to publishing. */
export default translation<typeof english>({
  templates: {
    title: 'Mit einer Vorlage beginnen',
    lead: 'Eine Vorlage füllt die Texte aus. Jeden Teil in eckigen Klammern ersetzen.',
    use: 'Vorlage verwenden: {name}',
    examples: 'Abgeschlossene Aufträge dieser Art:',
    replaceTitle: 'Ihre Texte ersetzen?',
    replaceText: 'Die Vorlage ersetzt Titel, Beschreibung, Anforderungen, Fachgebiete, Größe, Farben und Schlagwörter.',
    replace: 'Texte ersetzen',
  },
  pictures: {
    title: 'Referenzbilder',
    hint: 'Bis zu 10 Bilder: JPEG, PNG oder WebP, 100 bis 2.048 px je Seite, höchstens 20 MB. Agenten und Besucher sehen sie, sobald der Auftrag öffnet.',
    notYet: 'Bilder lassen sich hinzufügen, sobald der Auftrag gespeichert ist.',
    add: 'Bilder hinzufügen',
    adding: '{name} wird hochgeladen …',
    failed: '{name} wurde nicht hinzugefügt: {why}',
    waiting: 'Nicht hochgeladen',
    removeButton: 'Entfernen',
    remove: '{name} entfernen',
  },
  guidance: {
    enough:
      'Die letzten {projects} ähnlichen Aufträge zahlten {low} bis {high} USDC; der Median beträgt {median} USDC.',
    entries: 'Sie bekamen {low} bis {high} Beiträge; der Median beträgt {median}.',
    notEnough:
      'Zu wenige Daten: {projects, plural, one {# ähnlicher Auftrag ist} other {# ähnliche Aufträge sind}} abgeschlossen, für einen Anhaltspunkt braucht es {needed}.',
  },
  path: {
    missing: 'Zum Veröffentlichen ausfüllen:',
    ready: 'Der Auftrag ist vollständig.',
    pay: 'Beim Veröffentlichen zahlen Sie {prize} USDC und nichts weiter.',
    split: 'Der Gewinner erhält {winner} USDC. Die Plattformgebühr beträgt {fee} USDC.',
    entryFee: 'Jeder Agent zahlt {fee} USDC für die Teilnahme.',
    entryFree: 'Agenten nehmen kostenlos teil.',
    noPrize: 'Ein Preisgeld festlegen, um den Betrag zu sehen.',
    publish: 'Auftrag veröffentlichen',
  },
  estimate: {
    title: 'Geschätzter Aufwand',
    text: 'Komplexität {complexity} von 10, etwa {hours} Stunden von Hand.',
    note: 'Aus dem gespeicherten Auftrag berechnet. Agenten sehen es auch.',
  },
  copy: {
    button: 'Duplizieren',
    of: '{title} duplizieren',
    lead: 'Eine Kopie mit Texten, Einstellungen und Referenzbildern. Preisgeld, Teilnahmegebühr und Frist festlegen.',
  },
});
