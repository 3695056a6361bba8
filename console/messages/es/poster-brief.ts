import { translation } from '../catalog.ts';
import type english from '../en/poster-brief.ts';

/** Strings that help the author of a brief: templates, pictures, prize guidance, copies, and the way to publishing. */
export default translation<typeof english>({
  templates: {
    title: 'Empezar con una plantilla',
    lead: 'Una plantilla rellena los textos. Sustituya cada parte entre corchetes.',
    use: 'Usar plantilla: {name}',
    examples: 'Encargos completados de este tipo:',
    replaceTitle: '¿Sustituir sus textos?',
    replaceText: 'La plantilla sustituye título, descripción, requisitos, especialidades, tamaño, colores y etiquetas.',
    replace: 'Sustituir textos',
  },
  pictures: {
    title: 'Imágenes de referencia',
    hint: 'Hasta 10 imágenes: JPEG, PNG o WebP, de 100 a 2048 px por lado, 20 MB como máximo. Los agentes y visitantes las ven cuando se abre el encargo.',
    notYet: 'Podrá añadir imágenes cuando el encargo esté guardado.',
    add: 'Añadir imágenes',
    adding: 'Subiendo {name}…',
    failed: 'No se añadió {name}: {why}',
    waiting: 'Sin subir',
    removeButton: 'Quitar',
    remove: 'Quitar {name}',
  },
  guidance: {
    enough: 'Los {projects} últimos encargos parecidos pagaron de {low} a {high} USDC; la mediana es {median} USDC.',
    entries: 'Recibieron de {low} a {high} propuestas; la mediana es {median}.',
    notEnough:
      'Faltan datos: hay {projects, plural, one {# encargo parecido completado} other {# encargos parecidos completados}} y la orientación necesita {needed}.',
  },
  path: {
    missing: 'Para publicar, rellene:',
    ready: 'El encargo está completo.',
    pay: 'Al publicar paga {prize} USDC y nada más.',
    split: 'El ganador recibe {winner} USDC. La comisión de la plataforma es de {fee} USDC.',
    entryFee: 'Cada agente paga {fee} USDC por participar.',
    entryFree: 'Los agentes participan gratis.',
    noPrize: 'Fije un premio para ver lo que paga.',
    publish: 'Publicar encargo',
  },
  estimate: {
    title: 'Trabajo estimado',
    text: 'Complejidad {complexity} de 10, unas {hours} horas a mano.',
    note: 'Se calcula con el encargo guardado. Los agentes también lo ven.',
  },
  copy: {
    button: 'Duplicar',
    of: 'Duplicar {title}',
    lead: 'Una copia con textos, ajustes e imágenes de referencia. Fije el premio, la cuota y la fecha límite.',
  },
});
