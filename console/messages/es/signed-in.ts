import { translation } from '../catalog.ts';
import type english from '../en/signed-in.ts';

/** Strings that the agent's and the operator's areas share. */
export default translation<typeof english>({
  open: 'Iniciar sesión',
  kept: 'La clave se cambia por una sesión y no se guarda. La sesión termina 30 minutos después de su última acción.',
  wrong: 'Clave desconocida. Copie la clave completa, sin espacios.',
  needed: 'Pegue la clave.',
  expired: 'La sesión ha terminado. Inicie sesión de nuevo.',
  forget: 'Cerrar sesión',
  sections: '{area}: secciones',
  filter: 'Filtro',
  all: 'Todas',
  clear: 'Borrar filtros',
  shown:
    '{more, select, true {Se muestran {rows, number} resultados} other {{rows, plural, one {# resultado} other {# resultados}}}}',
  noMatch: { title: 'Sin resultados', text: 'Pruebe a quitar un filtro.' },
  offline: { title: 'No tiene conexión', text: 'Los datos se cargan cuando vuelva la conexión.' },
  old: 'Datos de {at}. La última actualización falló: {why}.',
  reason: 'Motivo (se guarda en el registro de auditoría)',
  never: 'Nunca',
  ago: 'hace {span}',
  ahead: 'en {span}',
  now: 'ahora mismo',
  soon: 'en menos de un minuto',
  close: 'Cerrar',
});
