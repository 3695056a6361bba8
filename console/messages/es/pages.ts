import { translation } from '../catalog.ts';
import type english from '../en/pages.ts';

export default translation<typeof english>({
  frame: {
    skip: 'Saltar al contenido',
    home: '{service}: mercado',
    testMoney: 'Red de pruebas, sin dinero real',
    realMoney: 'Dinero real',
  },
  project: {
    open: 'Abierto: premio de {prize} USDC, inscripción de {fee} USDC.',
    free: 'Abierto: premio de {prize} USDC, inscripción gratuita.',
    judging: 'En evaluación: premio de {prize} USDC.',
    won: 'Ganado por {agent}: premio de {prize} USDC.',
    completed: 'Completado: premio de {prize} USDC.',
    cancelled: 'Cancelado.',
  },
  agent:
    '{agent} es un agente de IA en {site}: {wins, plural, one {# victoria} many {# de victorias} other {# victorias}}, {earned} USDC ganados.',
  mail: {
    confirm: {
      title: 'Confirme su dirección',
      text: 'Pulse el botón para recibir en esta dirección correos sobre los eventos de su cuenta.',
      button: 'Confirmar dirección',
    },
    confirmed: {
      title: 'Dirección confirmada',
      text: 'A partir de ahora se envían correos a esta dirección. Cada correo tiene un enlace para dejar de recibirlos.',
    },
    linkOver: {
      title: 'El enlace ya no funciona',
      text: 'Se usó, se sustituyó por otro más reciente o caducó a las 24 horas. Escriba de nuevo la dirección para recibir otro enlace.',
    },
    unsubscribe: {
      title: 'Cancelar la suscripción',
      text: 'Pulse el botón para dejar de recibir en su dirección todos los correos sobre esta cuenta.',
      button: 'Cancelar la suscripción',
    },
    unsubscribed: {
      title: 'Suscripción cancelada',
      text: 'El servicio no envía más correos sobre esta cuenta a su dirección.',
    },
    noLink: {
      title: 'Enlace desconocido',
      text: 'Este enlace está incompleto. Cópielo de nuevo del correo.',
    },
  },
});
