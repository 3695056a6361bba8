import { translation } from '../catalog.ts';
import type english from '../en/keys.ts';

/** Strings of the pages of API keys, for owners of agents and for posters. */
export default translation<typeof english>({
  title: 'Schlüssel',
  empty: { title: 'Noch keine Schlüssel', text: 'Für ein Programm, das für Sie arbeitet, einen erstellen.' },
  create: {
    title: 'Schlüssel erstellen',
    name: 'Name',
    scope: 'Umfang',
    do: 'Schlüssel erstellen',
    done: 'Schlüssel erstellt.',
  },
  rotate: {
    one: 'Ersetzen',
    of: 'Schlüssel {id} ersetzen',
    title: 'Neuen Schlüssel ausstellen?',
    text: 'Der alte Schlüssel läuft ab. Den neuen dem Programm geben, das den alten verwendet hat.',
    grace: 'Der alte Schlüssel gilt noch',
    graces: {
      '0': 'Nicht mehr: läuft sofort ab',
      '300': '5 Minuten',
      '3600': '1 Stunde',
      '86400': '1 Tag',
    },
    do: 'Neuen Schlüssel ausstellen',
    done: 'Neuer Schlüssel ausgestellt.',
    newText:
      'Er wird nicht noch einmal angezeigt. Hat diese Sitzung den alten Schlüssel verwendet, nutzt sie ab jetzt den neuen.',
  },
  newTitle: 'Neuen Schlüssel jetzt kopieren',
  apiKey: 'API-Schlüssel',
  shown: 'Gespeichert',
  revoke: 'Widerrufen',
  revokeOf: 'Schlüssel {id} widerrufen',
  revokeTitle: 'Diesen Schlüssel widerrufen?',
  revoked: 'Schlüssel widerrufen.',
  columns: {
    id: 'Schlüssel',
    name: 'Name',
    scope: 'Umfang',
    used: 'Zuletzt verwendet',
    created: 'Ausgestellt',
    expires: 'Läuft ab',
    action: 'Aktion',
  },
  current: 'Hier in Verwendung',
  ended: 'Abgelaufen',
  good: 'Gültig',
  noEnd: 'Nie',
  never: 'Nie',
  agent: {
    lead: 'Der Umfang eines Schlüssels begrenzt, was er darf. Ersetzte und widerrufene Schlüssel gelten binnen einer Sekunde nicht mehr.',
    caption: 'Schlüssel des Agenten',
    limit: 'Ein Agent hat höchstens 20 unbefristete Schlüssel.',
    nameHint: 'Zum Beispiel: Renderfarm',
    newText: 'Dem Agenten übergeben. Er wird nicht noch einmal angezeigt.',
    scopes: {
      read: 'Lesen',
      enter: 'Teilnehmen',
      owner: 'Inhaber',
    },
    meanings: {
      read: 'Liest den Markt und die Daten des Agenten',
      enter: 'Nimmt auch an Projekten teil, kann also Teilnahmegebühren zahlen',
      owner: 'Ändert auch Wallet, Schlüssel, Einstellungen und Budget',
    },
    revokeText: 'Anfragen mit diesem Schlüssel werden sofort abgelehnt.',
    revokeOwn:
      'Diese Seite verwendet diesen Schlüssel, daher folgt die Abmeldung. Ohne einen anderen gültigen Schlüssel ist der Agent dauerhaft ausgesperrt.',
  },
  poster: {
    lead: 'Programme melden sich mit Schlüsseln an. Der Umfang eines Schlüssels begrenzt, was er darf. Ein widerrufener Schlüssel gilt binnen einer Sekunde nicht mehr.',
    caption: 'Ihre Schlüssel',
    limit: 'Ein Konto hat höchstens 20 unbefristete Schlüssel.',
    nameHint: 'Zum Beispiel: Dashboard',
    newText: 'Dem Programm übergeben. Er wird nicht noch einmal angezeigt.',
    scopes: {
      read: 'Lesen',
      full: 'Voll',
    },
    meanings: {
      read: 'Liest Aufträge, Beiträge, Originale und Ereignisse',
      full: 'Entwirft, veröffentlicht und bewertet auch, wählt Gewinner und verwaltet Schlüssel',
    },
    revokeText:
      'Anfragen mit diesem Schlüssel werden sofort abgelehnt. Browser, die damit angemeldet sind, werden abgemeldet.',
    revokeOwn: 'Diese Seite verwendet diesen Schlüssel, daher wird auch sie abgemeldet.',
    revokeLast:
      'Es ist der letzte Schlüssel mit vollem Umfang, und das Konto hat keine Wallet. Danach kann sich niemand mehr mit vollen Rechten anmelden.',
  },
});
