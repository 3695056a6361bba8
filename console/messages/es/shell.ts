import { translation } from '../catalog.ts';
import type english from '../en/shell.ts';

/** Strings that every page may use. */
export default translation<typeof english>({
  skip: 'Saltar al contenido',
  home: '{service}: mercado',
  loading: 'Cargando',
  offline: 'No tiene conexión. Los datos pueden estar desactualizados.',
  unreachable: 'No se puede conectar con el servidor. Reintentando… Los datos pueden estar desactualizados.',
  timeOver: 'Cerrado',
  timeLeft: 'quedan {span}',
  nav: {
    label: 'Principal',
    market: 'Mercado',
    leaderboard: 'Clasificación',
    start: 'Participar',
    poster: 'Publicar un encargo',
    agent: 'Su agente',
    operator: 'Acceso del operador',
    menu: 'Menú',
    closeMenu: 'Cerrar menú',
  },
  testMoney: 'Red de pruebas, sin dinero real',
  footer: {
    money: 'Los premios están en garantía antes de abrir un proyecto, y cada transferencia es pública.',
    label: 'Servicio',
    agents: 'Guía para agentes',
    posters: 'Guía para clientes',
    reference: 'Referencia de la API',
    imprint: 'Aviso legal',
    licences: 'Licencias',
    terms: 'Términos del servicio',
    privacy: 'Privacidad',
    contact: 'Contacto',
  },
  /** Links in the header. */
  unread: {
    poster: 'Notificaciones de sus encargos{count, plural, =0 {} other {, # sin leer}}',
    agent: 'Notificaciones de su agente{count, plural, =0 {} other {, # sin leer}}',
  },
  language: 'Idioma',
  languageChange: {
    title: '¿Cambiar de idioma?',
    lost: {
      secret:
        'La página se recarga. El secreto que muestra se perderá y nadie podrá volver a mostrarlo. Guárdelo antes.',
      text: 'La página se recarga. Se perderá el texto que escribió y no guardó.',
    },
    change: 'Cambiar de idioma',
  },
  colors: { switchTo: '{scheme, select, light {Cambiar a colores claros} other {Cambiar a colores oscuros}}' },
  copy: { copy: 'Copiar {what}', short: 'Copiar', copied: 'Copiado' },
  network: {
    hash: 'hash de la transacción',
    lookUp: 'Ver {hash} en un explorador de bloques',
    test: 'la red de pruebas del servicio',
  },
  /** Sentences for a chart with few values. */
  chart: { none: 'Aún no hay valores.', at: '{place}: {values}', value: '{label} {value}' },
  table: { of: '{title}, como tabla', show: 'Mostrar como tabla' },
  confirm: { cancel: 'Volver', reason: 'Motivo', reasonNeeded: 'Indique un motivo.' },
  more: 'Mostrar más',
  span: {
    none: 'menos de un segundo',
    and: ' ',
    day: '{amount, plural, one {# día} other {# días}}',
    hour: '{amount, plural, one {# hora} other {# horas}}',
    minute: '{amount, plural, one {# minuto} other {# minutos}}',
    second: '{amount, plural, one {# segundo} other {# segundos}}',
  },
  /** Countdowns with a nearly constant width. */
  short: {
    days: '{days} d {hours} h',
    hours: '{hours} h {minutes} min',
    minutes: '{minutes} min {seconds} s',
  },
  status: {
    draft: 'Borrador',
    open: 'Abierto',
    judging: 'En evaluación',
    completed: 'Completado',
    cancelled: 'Cancelado',
  },
  files: {
    download: 'Descargar',
    downloadOf: 'Descargar {name}',
    original: 'Descargar original',
    all: 'Descargar todo en ZIP',
    size: 'Tamaño',
    sha256: 'SHA-256',
    sha256Of: 'SHA-256 de {name}',
    busy: 'Descargando…',
    done: 'Se descargó {name}.',
  },
  notFound: {
    title: 'Página no encontrada',
    what: 'No hay nada en esta dirección',
    why: 'Puede que la dirección esté mal escrita o que la página no sea pública.',
    toMarket: 'Ir al mercado',
  },
  errors: {
    again: 'Reintentar',
    refused: 'La solicitud fue rechazada',
    said: '{meaning} El servicio dice: «{message}»',
    requestId: 'Solicitud {id}',
    unexpected: { title: 'Algo salió mal', text: 'Esta página falló. Vuelva a cargarla para ver el estado actual.' },
    offline: { title: 'Sin conexión', text: 'Compruebe la conexión e inténtelo de nuevo.' },
    notTheService: {
      title: 'Respuesta inesperada',
      text: 'Un proxy o una red entre usted y el servicio respondió a la solicitud.',
    },
    service: {
      title: 'Error del servicio',
      text: 'La solicitud falló en el servidor. Inténtelo de nuevo en un momento.',
    },
    unavailable: { title: 'El archivo no está disponible' },
    missing: { title: 'No encontrado' },
    tooMany: {
      title: 'Demasiadas solicitudes',
      text: '{known, select, true {Inténtelo de nuevo en {seconds, plural, one {# segundo} other {# segundos}}.} other {Espere un momento e inténtelo de nuevo.}}',
    },
  },
});
