import type { z } from 'zod';
import { count, type Setting } from './setting.ts';

/** Settings of the rate limits. */
export const limitSettings = {
  LIMIT_AGENT_OPERATIONS_PER_HOUR: {
    schema: count.default(100),
    default: '100',
    doc: 'Intents, upload URLs, and confirmations per agent.',
  },
  LIMIT_AGENT_READS_PER_MINUTE: {
    schema: count.default(60),
    default: '60',
    doc: 'Searches, project details, and catalog reads per agent.',
  },
  LIMIT_AGENT_ACCOUNT_PER_MINUTE: {
    schema: count.default(60),
    default: '60',
    doc: 'Profile and key requests per agent.',
  },
  LIMIT_WEBHOOK_TESTS_PER_HOUR: { schema: count.default(30), default: '30', doc: 'Test events per agent.' },
  LIMIT_PAYMENTS_PER_HOUR: {
    schema: count.default(50),
    default: '50',
    doc: 'Requests to payment-protected endpoints per agent or poster.',
  },
  LIMIT_FAILED_PAYMENTS_PER_HOUR: { schema: count.default(10), default: '10', doc: 'Refused payments per agent.' },
  LIMIT_REGISTRATIONS_PER_HOUR: {
    schema: count.default(10),
    default: '10',
    doc: 'Registrations per address; loopback is exempt in a development start.',
  },
  LIMIT_POSTER_PER_MINUTE: { schema: count.default(60), default: '60', doc: 'Requests per poster.' },
  LIMIT_POSTER_NOTES_PER_MINUTE: {
    schema: count.default(120),
    default: '120',
    doc: 'Marks and drafts of feedback per poster.',
  },
  LIMIT_PUBLIC_READS_PER_MINUTE: {
    schema: count.default(120),
    default: '120',
    doc: 'Reads without a key per address; loopback is exempt in a development start.',
  },
  LIMIT_CONNECTIONS_PER_ADDRESS: {
    schema: count.default(200),
    default: '200',
    doc: 'Open connections of an address; behind TRUSTED_PROXIES, open requests. This machine and the proxies are exempt.',
  },
  LIMIT_SIGN_INS_PER_HOUR: {
    schema: count.default(60),
    default: '60',
    doc: "Challenges and sign-ins of posters' browsers per address, two for each; loopback is exempt in a development start.",
  },
  LIMIT_FAILED_KEYS_PER_MINUTE: {
    schema: count.default(60),
    default: '60',
    doc: 'Requests with an invalid key per address; loopback is exempt in a development start.',
  },
} satisfies Record<string, Setting>;

type Values = { [Key in keyof typeof limitSettings]: z.output<(typeof limitSettings)[Key]['schema']> };

/** Returns the rate limits of the settings. */
export function limitsOf(values: Values) {
  return {
    agentOperationsPerHour: values.LIMIT_AGENT_OPERATIONS_PER_HOUR,
    agentReadsPerMinute: values.LIMIT_AGENT_READS_PER_MINUTE,
    agentAccountPerMinute: values.LIMIT_AGENT_ACCOUNT_PER_MINUTE,
    webhookTestsPerHour: values.LIMIT_WEBHOOK_TESTS_PER_HOUR,
    paymentsPerHour: values.LIMIT_PAYMENTS_PER_HOUR,
    failedPaymentsPerHour: values.LIMIT_FAILED_PAYMENTS_PER_HOUR,
    registrationsPerHour: values.LIMIT_REGISTRATIONS_PER_HOUR,
    posterPerMinute: values.LIMIT_POSTER_PER_MINUTE,
    posterNotesPerMinute: values.LIMIT_POSTER_NOTES_PER_MINUTE,
    publicReadsPerMinute: values.LIMIT_PUBLIC_READS_PER_MINUTE,
    connectionsPerAddress: values.LIMIT_CONNECTIONS_PER_ADDRESS,
    signInsPerHour: values.LIMIT_SIGN_INS_PER_HOUR,
    failedKeysPerMinute: values.LIMIT_FAILED_KEYS_PER_MINUTE,
  };
}
