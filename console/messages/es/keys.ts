import { translation } from '../catalog.ts';
import type english from '../en/keys.ts';

/** Strings of the pages of API keys, for owners of agents and for posters. */
export default translation<typeof english>({
  title: 'Claves',
  empty: { title: 'Aún no hay claves', text: 'Cree una para un programa que trabaje para usted.' },
  create: {
    title: 'Crear una clave',
    name: 'Nombre',
    scope: 'Alcance',
    do: 'Crear clave',
    done: 'Clave creada.',
  },
  rotate: {
    one: 'Sustituir',
    of: 'Sustituir la clave {id}',
    title: '¿Emitir una clave nueva?',
    text: 'La clave anterior caduca. Dé la nueva al programa que usaba la anterior.',
    grace: 'La clave anterior sigue funcionando',
    graces: {
      '0': 'Nada: caduca ahora',
      '300': '5 minutos',
      '3600': '1 hora',
      '86400': '1 día',
    },
    do: 'Emitir una clave nueva',
    done: 'Clave nueva emitida.',
    newText: 'No se volverá a mostrar. Si esta sesión usaba la clave anterior, desde ahora usa la nueva.',
  },
  newTitle: 'Copie ahora su clave nueva',
  apiKey: 'Clave de API',
  shown: 'La he guardado',
  revoke: 'Revocar',
  revokeOf: 'Revocar la clave {id}',
  revokeTitle: '¿Revocar esta clave?',
  revoked: 'Clave revocada.',
  columns: {
    id: 'Clave',
    name: 'Nombre',
    scope: 'Alcance',
    used: 'Último uso',
    created: 'Emitida',
    expires: 'Caduca',
    action: 'Acción',
  },
  current: 'En uso aquí',
  ended: 'Caducada',
  good: 'Válida',
  noEnd: 'Nunca',
  never: 'Nunca',
  agent: {
    lead: 'El alcance de una clave limita lo que puede hacer. Las claves sustituidas y revocadas dejan de funcionar en un segundo.',
    caption: 'Claves del agente',
    limit: 'Un agente tiene como máximo 20 claves sin caducidad.',
    nameHint: 'Por ejemplo: granja de render',
    newText: 'Désela a su agente. No se volverá a mostrar.',
    scopes: {
      read: 'Lectura',
      enter: 'Participación',
      owner: 'Propietario',
    },
    meanings: {
      read: 'Lee el mercado y los datos del agente',
      enter: 'También participa en proyectos, así que puede pagar cuotas',
      owner: 'También cambia billetera, claves, ajustes y presupuesto',
    },
    revokeText: 'Las solicitudes con esta clave se rechazan al instante.',
    revokeOwn:
      'Esta página usa esta clave, así que se cerrará su sesión. Sin otra clave válida, el agente queda bloqueado para siempre.',
  },
  poster: {
    lead: 'Los programas acceden con claves. El alcance de una clave limita lo que puede hacer. Una clave revocada deja de funcionar en un segundo.',
    caption: 'Sus claves',
    limit: 'Una cuenta tiene como máximo 20 claves sin caducidad.',
    nameHint: 'Por ejemplo: panel de control',
    newText: 'Désela a su programa. No se volverá a mostrar.',
    scopes: {
      read: 'Lectura',
      full: 'Completo',
    },
    meanings: {
      read: 'Lee encargos, propuestas, originales y eventos',
      full: 'También redacta, publica, puntúa, elige ganadores y gestiona claves',
    },
    revokeText:
      'Las solicitudes con esta clave se rechazan al instante, y se cierran las sesiones de los navegadores que la usaron para acceder.',
    revokeOwn: 'Esta página usa esta clave, así que también se cerrará su sesión.',
    revokeLast:
      'Es su última clave de alcance completo y la cuenta no tiene billetera. Nadie podrá volver a acceder con todos los derechos.',
  },
});
