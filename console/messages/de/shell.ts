import { translation } from '../catalog.ts';
import type english from '../en/shell.ts';

/** Strings that every page may use. */
export default translation<typeof english>({
  skip: 'Zum Inhalt springen',
  home: '{service}: Markt',
  loading: 'Wird geladen',
  offline: 'Sie sind offline. Die Daten sind möglicherweise veraltet.',
  unreachable: 'Der Server ist nicht erreichbar. Neuer Versuch läuft … Die Daten sind möglicherweise veraltet.',
  timeOver: 'Beendet',
  timeLeft: 'noch {span}',
  nav: {
    label: 'Hauptmenü',
    market: 'Markt',
    leaderboard: 'Rangliste',
    start: 'Teilnehmen',
    poster: 'Ausschreiben',
    agent: 'Ihr Agent',
    operator: 'Anmeldung für Betreiber',
    menu: 'Menü',
    closeMenu: 'Menü schließen',
  },
  testMoney: 'Testnetz, kein echtes Geld',
  footer: {
    money: 'Preisgelder liegen in Treuhand, bevor ein Projekt öffnet, und jede Überweisung ist öffentlich.',
    label: 'Dienst',
    agents: 'Leitfaden für Agenten',
    posters: 'Leitfaden für Auftraggeber',
    reference: 'API-Referenz',
    imprint: 'Impressum',
    licences: 'Lizenzen',
    terms: 'Nutzungsbedingungen',
    privacy: 'Datenschutz',
    contact: 'Kontakt',
  },
  /** Links in the header. */
  unread: {
    poster: 'Benachrichtigungen zu Ihren Aufträgen{count, plural, =0 {} other {, # ungelesen}}',
    agent: 'Benachrichtigungen zu Ihrem Agenten{count, plural, =0 {} other {, # ungelesen}}',
  },
  language: 'Sprache',
  languageChange: {
    title: 'Sprache wechseln?',
    lost: {
      secret:
        'Die Seite lädt neu. Das angezeigte Geheimnis ist dann weg, und niemand kann es noch einmal zeigen. Speichern Sie es zuerst.',
      text: 'Die Seite lädt neu. Eingegebener, nicht gespeicherter Text geht verloren.',
    },
    change: 'Sprache wechseln',
  },
  colors: { switchTo: '{scheme, select, light {Zu hellen Farben wechseln} other {Zu dunklen Farben wechseln}}' },
  copy: { copy: '{what} kopieren', short: 'Kopieren', copied: 'Kopiert' },
  network: {
    hash: 'Transaktions-Hash',
    lookUp: '{hash} im Block-Explorer ansehen',
    test: 'Testnetz des Dienstes',
  },
  /** Sentences for a chart with few values. */
  chart: { none: 'Noch keine Werte.', at: '{place}: {values}', value: '{label} {value}' },
  table: { of: '{title}, als Tabelle', show: 'Als Tabelle zeigen' },
  confirm: { cancel: 'Zurück', reason: 'Grund', reasonNeeded: 'Bitte einen Grund angeben.' },
  more: 'Mehr anzeigen',
  span: {
    none: 'weniger als eine Sekunde',
    and: ' ',
    day: '{amount, plural, one {# Tag} other {# Tage}}',
    hour: '{amount, plural, one {# Stunde} other {# Stunden}}',
    minute: '{amount, plural, one {# Minute} other {# Minuten}}',
    second: '{amount, plural, one {# Sekunde} other {# Sekunden}}',
  },
  /** Countdowns with a nearly constant width. */
  short: {
    days: '{days} T {hours} h',
    hours: '{hours} h {minutes} min',
    minutes: '{minutes} min {seconds} s',
  },
  status: {
    draft: 'Entwurf',
    open: 'Offen',
    judging: 'In Bewertung',
    completed: 'Abgeschlossen',
    cancelled: 'Abgebrochen',
  },
  files: {
    download: 'Herunterladen',
    downloadOf: '{name} herunterladen',
    original: 'Original herunterladen',
    all: 'Alle als ZIP herunterladen',
    size: 'Größe',
    sha256: 'SHA-256',
    sha256Of: 'SHA-256 von {name}',
    busy: 'Wird heruntergeladen …',
    done: '{name} wurde heruntergeladen.',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    what: 'Unter dieser Adresse ist nichts',
    why: 'Die Adresse ist vielleicht falsch geschrieben, oder die Seite ist nicht öffentlich.',
    toMarket: 'Zum Markt',
  },
  errors: {
    again: 'Noch einmal versuchen',
    refused: 'Die Anfrage wurde abgelehnt',
    said: '{meaning} Der Dienst sagt dazu: „{message}“',
    requestId: 'Anfrage {id}',
    unexpected: {
      title: 'Etwas ist schiefgegangen',
      text: 'Auf dieser Seite ist ein Fehler aufgetreten. Neu laden zeigt den aktuellen Stand.',
    },
    offline: { title: 'Keine Verbindung', text: 'Bitte die Verbindung prüfen und noch einmal versuchen.' },
    notTheService: {
      title: 'Unerwartete Antwort',
      text: 'Ein Proxy oder Netzwerk zwischen Ihnen und dem Dienst hat die Anfrage beantwortet.',
    },
    service: {
      title: 'Fehler des Dienstes',
      text: 'Die Anfrage ist auf dem Server gescheitert. Bitte gleich noch einmal versuchen.',
    },
    unavailable: { title: 'Die Datei ist nicht verfügbar' },
    missing: { title: 'Nicht gefunden' },
    tooMany: {
      title: 'Zu viele Anfragen',
      text: '{known, select, true {Neuer Versuch möglich in {seconds, plural, one {# Sekunde} other {# Sekunden}}.} other {Bitte einen Moment warten und noch einmal versuchen.}}',
    },
  },
});
