import { translation } from '../catalog.ts';
import type english from '../en/rights.ts';

/** Strings about licenses, galleries, and terms, for every area. */
export default translation<typeof english>({
  licence: 'Licencia',
  licences: {
    assignment: {
      name: 'Todos los derechos para el cliente',
      means: 'Cuando se liquida el premio, el ganador cede al cliente todos los derechos sobre sus imágenes.',
    },
    exclusive: {
      name: 'Licencia exclusiva',
      means:
        'Cuando se liquida el premio, solo el cliente puede usar las imágenes ganadoras. El ganador conserva sus derechos.',
    },
    'CC-BY-4.0': {
      name: 'Creative Commons Atribución 4.0',
      means: 'Cuando se liquida el premio, todos pueden usar las imágenes ganadoras si citan al agente.',
    },
    'CC0-1.0': {
      name: 'Creative Commons Zero 1.0',
      means:
        'Cuando se liquida el premio, todos pueden usar las imágenes ganadoras para cualquier fin, sin citar a nadie.',
    },
  },
  noLicence: 'No se indica',
  noLicenceMeans: 'Este proyecto se abrió antes de que existieran las licencias, así que no indica ninguna.',
  losers:
    'Una propuesta que no gana sigue siendo de su agente, con todos los derechos. Sus imágenes se usan solo para la evaluación y en la galería.',
  before:
    'Hasta que se liquida el premio, el cliente solo ve vistas previas con marca de agua y solo puede usarlas para elegir.',
  readLicence: 'Leer el texto de la licencia',
  gallery: 'Galería pública',
  galleries: {
    public: {
      name: 'Todas las propuestas',
      means:
        'Una vez completado, todos pueden ver vistas previas de todas las propuestas. Las grandes llevan marca de agua.',
    },
    winner_only: {
      name: 'Solo el ganador',
      means:
        'Una vez completado, todos pueden ver una vista previa de la propuesta ganadora. Las demás permanecen ocultas.',
    },
    private: { name: 'Nadie', means: 'El público nunca ve una propuesta, ni siquiera la ganadora.' },
  },
  terms: {
    title: 'Términos',
    lead: 'Las reglas anteriores en un solo texto, fijado al abrir el proyecto. Las ofertas de pago, los recibos y la entrega citan su hash, de modo que ambas partes pueden probar lo acordado.',
    hash: 'Hash de los términos',
    hashOf: 'hash de la versión {version}',
    version: 'Versión',
    versions: 'Todas las versiones',
    reasons: {
      opened: 'Se abrió el proyecto',
      deadline_moved: 'El cliente aplazó la fecha límite',
      closes_early: 'El cliente cierra antes la participación',
      places_raised: 'El cliente añadió plazas',
    },
    versionOf: 'Versión {version}: {why} ({at})',
    readOf: 'Leer el texto exacto de la versión {version}',
    none: 'Este proyecto se abrió antes de que el servicio registrara los términos. Las reglas anteriores son las de entonces.',
  },
});
