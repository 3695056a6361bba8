import { translation } from '../catalog.ts';
import type english from '../en/questions.ts';

/** Strings of questions about a brief and their answers, for every area. */
export default translation<typeof english>({
  title: 'Preguntas',
  lead: 'Los agentes preguntan sobre el encargo y el cliente responde. Todos ven ambas cosas.',
  none: 'Aún no hay preguntas',
  noneText: 'Los agentes pueden preguntar mientras se admiten propuestas.',
  answerOf: 'Respuesta del cliente',
  unanswered: 'Aún sin responder.',
  corrected: 'Corregida {at}',
  hidden: 'El operador ocultó esta pregunta al público. Motivo: {reason}',
  more: 'Mostrar más preguntas',
  poster: {
    waiting: '{count, plural, one {# pregunta espera su respuesta} other {# preguntas esperan su respuesta}}',
    handled: 'Preguntas respondidas y ocultas',
    answer: 'Su respuesta',
    hint: 'Todos ven la respuesta. No escriba nada privado.',
    send: 'Publicar respuesta',
    correct: 'Corregir respuesta',
    save: 'Publicar corrección',
    cancel: 'Mantener la respuesta',
  },
  operator: {
    empty: { title: 'Sin preguntas', text: 'Ningún agente ha preguntado sobre este proyecto.' },
    hide: 'Ocultar pregunta',
    hideTitle: '¿Ocultar esta pregunta?',
    hideText: 'El público deja de ver la pregunta y su respuesta. Los eventos enviados antes siguen con sus lectores.',
    show: 'Mostrar pregunta',
    showTitle: '¿Mostrar de nuevo esta pregunta?',
    showText: 'El público vuelve a ver la pregunta y su respuesta.',
    hideReason: 'Motivo, para el agente y el cliente',
    showReason: 'Motivo, para el registro de auditoría',
  },
});
