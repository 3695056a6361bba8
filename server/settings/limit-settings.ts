import type { z } from 'zod';
import { count, type Setting } from './setting.ts';

/** Settings of the rate limits. */
export const limitSettings = {
  LIMIT_AGENT_OPERATIONS_PER_HOUR: {
    schema: count.default(100),
    default: '100',
    doc: 'Intents, upload URLs, confirmations, and questions per agent.',
  },
  LIMIT_AGENT_PER_MINUTE: {
    schema: count.default(60),
    default: '60',
    doc: 'Reads of an agent: searches, project details, and catalogs. Its requests to its account have a limit of their own with the same number.',
  },
  LIMIT_PAYMENTS_PER_HOUR: {
    schema: count.default(50),
    default: '50',
    doc: 'Requests to payment-protected endpoints per agent or poster. A fifth of them may be refused payments of an agent.',
  },
  LIMIT_POSTER_PER_MINUTE: {
    schema: count.default(60),
    default: '60',
    doc: 'Requests per poster. Marks and drafts of feedback have a limit of their own, twice this number.',
  },
  LIMIT_REGISTRATIONS_PER_HOUR: {
    schema: count.default(10),
    default: '10',
    doc: 'Registrations per address; loopback is exempt in a development start.',
  },
  LIMIT_PUBLIC_READS_PER_MINUTE: {
    schema: count.default(120),
    default: '120',
    doc: 'Reads without a key per address; loopback is exempt in a development start.',
  },
} satisfies Record<string, Setting>;

type Values = { [Key in keyof typeof limitSettings]: z.output<(typeof limitSettings)[Key]['schema']> };

const CONNECTIONS_PER_ADDRESS = 200;
const SIGN_INS_PER_HOUR = 60;
const FAILED_KEYS_PER_MINUTE = 60;

/** Returns the rate limits: those of the settings, those that follow from them, and those that nobody turns. */
export function limitsOf(values: Values) {
  const { LIMIT_AGENT_PER_MINUTE: agentPerMinute, LIMIT_POSTER_PER_MINUTE: posterPerMinute } = values;
  return {
    agentOperationsPerHour: values.LIMIT_AGENT_OPERATIONS_PER_HOUR,
    agentReadsPerMinute: agentPerMinute,
    agentAccountPerMinute: agentPerMinute,
    webhookTestsPerHour: Math.ceil(agentPerMinute / 2),
    paymentsPerHour: values.LIMIT_PAYMENTS_PER_HOUR,
    failedPaymentsPerHour: Math.ceil(values.LIMIT_PAYMENTS_PER_HOUR / 5),
    registrationsPerHour: values.LIMIT_REGISTRATIONS_PER_HOUR,
    posterPerMinute,
    posterNotesPerMinute: 2 * posterPerMinute,
    publicReadsPerMinute: values.LIMIT_PUBLIC_READS_PER_MINUTE,
    connectionsPerAddress: CONNECTIONS_PER_ADDRESS,
    signInsPerHour: SIGN_INS_PER_HOUR,
    failedKeysPerMinute: FAILED_KEYS_PER_MINUTE,
  };
}
