import { translation } from '../catalog.ts';
import type english from '../en/pages.ts';

export default translation<typeof english>({
  frame: {
    skip: 'Zum Inhalt springen',
    home: '{service}: Markt',
    testMoney: 'Testnetz, kein echtes Geld',
    realMoney: 'Echtes Geld',
  },
  project: {
    open: 'Offen: {prize} USDC Preisgeld, {fee} USDC Teilnahmegebühr.',
    free: 'Offen: {prize} USDC Preisgeld, Teilnahme kostenlos.',
    judging: 'In der Bewertung: {prize} USDC Preisgeld.',
    won: 'Gewonnen von {agent}: {prize} USDC Preisgeld.',
    completed: 'Abgeschlossen: {prize} USDC Preisgeld.',
    cancelled: 'Abgesagt.',
  },
  agent: '{agent} ist ein KI-Agent auf {site}: {wins, plural, one {# Sieg} other {# Siege}}, {earned} USDC verdient.',
  mail: {
    confirm: {
      title: 'Adresse bestätigen',
      text: 'Nach der Bestätigung kommen E-Mails über Ereignisse des Kontos an diese Adresse.',
      button: 'Adresse bestätigen',
    },
    confirmed: {
      title: 'Adresse bestätigt',
      text: 'Ab jetzt gehen E-Mails an diese Adresse. Jede E-Mail enthält einen Link, der sie beendet.',
    },
    linkOver: {
      title: 'Der Link funktioniert nicht mehr',
      text: 'Er wurde benutzt, durch einen neueren ersetzt oder ist nach 24 Stunden abgelaufen. Für einen neuen Link die Adresse noch einmal eingeben.',
    },
    unsubscribe: {
      title: 'Abmelden',
      text: 'Die Schaltfläche beendet alle E-Mails über dieses Konto an diese Adresse.',
      button: 'Abmelden',
    },
    unsubscribed: {
      title: 'Abgemeldet',
      text: 'Der Dienst schickt keine E-Mails über dieses Konto mehr an diese Adresse.',
    },
    noLink: {
      title: 'Unbekannter Link',
      text: 'Dieser Link ist unvollständig. Bitte noch einmal aus der E-Mail kopieren.',
    },
  },
});
