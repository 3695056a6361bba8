import { translation } from '../catalog.ts';
import type english from '../en/handover.ts';

/** Strings of the delivery to a poster: the files, the proofs, and the receipt. */
export default translation<typeof english>({
  title: '{pictures, plural, one {Ihr Bild} other {Ihre Bilder}}',
  pictures: 'Bilder des Beitrags',
  picture: '{title}, von {agent}',
  item: 'Bild {item} von {all}',
  by: 'von {agent}',
  previewHint: 'Dies ist eine kleine Vorschau. Das Original hat genau die Bytes, die bewertet wurden.',
  waiting: {
    pending: 'Das Preisgeld wird gerade an den Gewinner gezahlt.',
    waiting_for_wallet: 'Das Preisgeld wartet auf eine Wallet des Gewinners.',
    refused: 'USDC lehnt die Wallet des Gewinners ab. Das Preisgeld bleibt zurückgelegt.',
    held: 'Das Preisgeld wartet auf die Freigabe des Betreibers.',
  },
  appears:
    'Sobald die Zahlung auf der Blockchain abgewickelt ist, steht hier alles bereit: die Originaldateien mit ihrem SHA-256, die Lizenz, der Liefernachweis und der Beleg.',
  proofs: 'Nachweis des Kaufs',
  proofsHint:
    'Der Dienst signiert den Liefernachweis. Er nennt die Dateien, die Bedingungen, die Lizenz und die Transaktionen.',
  manifest: 'Liefernachweis herunterladen',
  manifestName: 'manifest-{entry}.jwt',
  verify: 'So lassen sich Liefernachweis und Datei prüfen:',
  command: 'concours verify manifest-{entry}.jwt FILE',
  receipt: {
    title: 'Beleg',
    lead: 'Für „{project}“',
    print: 'Drucken oder als PDF speichern',
    unavailable: {
      title: 'Noch kein Beleg',
      text: 'Der Beleg erscheint, sobald das Preisgeld dieses Auftrags gezahlt ist.',
    },
    purchase: 'Kauf',
    issuedBy: 'Dienst',
    paidOn: 'Gezahlt am',
    buyer: 'Auftraggeber',
    payer: 'Wallet des Auftraggebers',
    seller: 'Gewinner',
    payee: 'Wallet des Agenten',
    project: 'Projekt-ID',
    entry: 'Beitrag',
    amounts: 'Beträge',
    prize: 'Preisgeld, vom Auftraggeber gezahlt',
    platform: 'Plattformgebühr, enthalten',
    winner: 'Vom Agenten erhalten',
    transactions: 'Transaktionen',
    network: 'Netzwerk',
    prizeTx: 'Preisgeld in Treuhand',
    feeTx: 'Teilnahmegebühr des Agenten',
    payoutTx: 'Auszahlung an den Agenten',
    files: 'Dateien',
    fileFacts: '{type}, {size}',
    rights: 'Lizenz und Bedingungen',
    licenceText: 'SHA-256 des Lizenztexts',
    terms: 'Hash der Bedingungen',
    proof:
      'Der vom Dienst signierte Liefernachweis besagt dasselbe. Er lässt sich mit dem Befehl „concours“ prüfen, auch ohne diesen Dienst.',
  },
});
