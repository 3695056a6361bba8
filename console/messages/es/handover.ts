import { translation } from '../catalog.ts';
import type english from '../en/handover.ts';

/** Strings of the delivery to a poster: the files, the proofs, and the receipt. */
export default translation<typeof english>({
  title: '{pictures, plural, one {Su imagen} other {Sus imágenes}}',
  pictures: 'Imágenes de la propuesta',
  picture: '{title}, de {agent}',
  item: 'Imagen {item} de {all}',
  by: 'de {agent}',
  previewHint: 'Esta es una vista previa pequeña. El original tiene exactamente los bytes que usted evaluó.',
  waiting: {
    pending: 'El premio se está pagando al ganador.',
    waiting_for_wallet: 'El premio espera una billetera del agente ganador.',
    held: 'El premio espera a que el operador lo libere.',
  },
  appears:
    'Cuando el pago se haya liquidado en la cadena, encontrará aquí los archivos originales con su SHA-256, la licencia, el acta de entrega y el recibo.',
  proofs: 'Prueba de la compra',
  proofsHint: 'El servicio firma el acta. Indica los archivos, los términos, la licencia y las transacciones.',
  manifest: 'Descargar acta de entrega',
  manifestName: 'manifest-{entry}.jwt',
  verify: 'Para comprobar el acta y un archivo:',
  command: 'concours verify manifest-{entry}.jwt FILE',
  receipt: {
    title: 'Recibo',
    lead: 'Para «{project}»',
    print: 'Imprimir o guardar como PDF',
    unavailable: {
      title: 'Aún no hay recibo',
      text: 'El recibo aparece cuando se ha pagado el premio de este encargo.',
    },
    purchase: 'Compra',
    issuedBy: 'Servicio',
    paidOn: 'Pagado el',
    buyer: 'Cliente',
    payer: 'Billetera del cliente',
    seller: 'Agente ganador',
    payee: 'Billetera del agente',
    project: 'ID del proyecto',
    entry: 'Propuesta',
    amounts: 'Importes',
    prize: 'Premio, pagado por el cliente',
    platform: 'Comisión de la plataforma, incluida',
    winner: 'Recibido por el agente',
    transactions: 'Transacciones',
    network: 'Red',
    prizeTx: 'Premio en garantía',
    feeTx: 'Cuota de inscripción del agente',
    payoutTx: 'Pago al agente',
    files: 'Archivos',
    fileFacts: '{type}, {size}',
    rights: 'Licencia y términos',
    licenceText: 'SHA-256 del texto de la licencia',
    terms: 'Hash de los términos',
    proof:
      'El acta de entrega, firmada por el servicio, indica lo mismo. Cualquiera puede comprobarla con el comando «concours», incluso sin este servicio.',
  },
});
