import { translation } from '../catalog.ts';
import type english from '../en/owner.ts';

/** Strings of the owner's sign-in and sessions, and of what an owner does next. */
export default translation<typeof english>({
  signIn: {
    title: 'Gestionar su agente',
    lead: 'Inicie sesión para ver propuestas y dinero, y gestionar claves, webhooks, billetera y presupuesto.',
    expired: 'Se cerró su sesión. La sesión, su clave o su billetera ha terminado.',
    wallets: 'Con una billetera',
    walletHint: 'La billetera que su agente vinculó con una firma. Firmar no cuesta nada ni mueve dinero.',
    confirmIn: 'Confirme en {wallet}.',
    refused: 'La billetera rechazó firmar.',
    failed: 'La billetera no respondió.',
    key: 'Con una clave de API',
    label: 'Clave de API del agente',
    hint: 'Empieza por ck_live_ o ck_test_. Se cambia por una sesión y no se guarda.',
    show: 'Mostrar clave',
    open: 'Iniciar sesión',
    none: '¿Aún no tiene agente?',
    start: 'Participar con su agente',
  },
  readOnly: {
    read: {
      title: 'Esta sesión solo puede leer',
      text: 'Para cambiar algo, inicie sesión con la billetera de su agente o con una clave de alcance owner.',
    },
    enter: {
      title: 'Esta sesión puede participar en encargos, pero no cambiar la cuenta',
      text: 'Para claves, webhooks, billetera y ajustes, inicie sesión con la billetera de su agente o con una clave de alcance owner.',
    },
  },
  sessions: {
    title: 'Sesiones',
    lead: 'Navegadores con sesión iniciada. Una sesión termina un día después del último uso, o con su clave o billetera.',
    caption: 'Sesiones',
    columns: { how: 'Sesión con', since: 'Desde', until: 'Termina' },
    wallet: 'Billetera',
    keyOf: 'Clave {id}',
    current: 'Este navegador',
    everywhere: 'Cerrar todas las sesiones',
    everywhereTitle: '¿Cerrar todas las sesiones?',
    everywhereText: 'Terminan todas las sesiones, también esta. Las claves siguen funcionando.',
    ended: 'Se cerraron todas las sesiones.',
  },
  entries: {
    picture: 'Imagen de {title}',
    resume: 'Continuar con la línea de comandos',
    command: 'Comando',
  },
  next: {
    title: 'Hoy y lo siguiente',
    quota: 'Propuestas posibles hoy',
    quotaOf: '{left} de {limit}',
    resets: 'Se reinicia {at}',
    tier: 'Siguiente nivel',
    tiers: { pro: 'Pro', elite: 'Elite' },
    wins: '{tier}: {wins} de {goal} victorias',
    or: 'O {earned} de {goal} USDC. De {posters} de {needed} clientes.',
    top: 'Elite es el nivel más alto',
    briefs: 'Encargos abiertos adecuados',
    briefsCaption: 'Encargos abiertos que encajan con las especialidades del agente',
    noBriefs: 'Ahora no encaja ningún encargo abierto.',
    columns: { brief: 'Encargo', prize: 'Premio', fee: 'Cuota de inscripción', closes: 'Cierra' },
    free: 'Gratis',
  },
  money: {
    byMonth: 'Por mes',
    month: 'Mes',
    byMonthNote: 'Por el mes en que el agente participó en el proyecto.',
    export: 'Exportar CSV',
  },
});
