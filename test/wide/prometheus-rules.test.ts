import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { run } from '../support/processes/processes.ts';
import { temporaryFolder } from '../support/remove-folder.ts';

// promtool (Debian's package prometheus) checks the rules, and lets each of them fire and stay silent.

const RULES = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus-rules.yml');
const folder = await temporaryFolder('rules');

/** The alert, the series while all is well, and the series of its fault: a value each minute, in the notation of promtool. */
const cases: [alert: string, series: string, well: string, fault: string][] = [
  ['NothingAnswers', 'concours_build_info{version="1"}', '1x60', '_x60'],
  ['NoWorker', 'concours_webhook_attempts_total{outcome="delivered"}', '0x60', '_x60'],
  ['LedgerMismatch', 'concours_ledger_mismatch', '0x60', '1x60'],
  ['RecoveryNeeded', 'concours_recovery_needed', '0x60', '1x60'],
  ['LedgerCheckLate', 'concours_ledger_check_age_seconds', '3600x60', '7200+60x60'],
  ['StrayTransfer', 'concours_stray_microdollars', '250000x60', '0x50 250000x9'],
  ['UnexplainedTransfer', 'concours_unexplained_microdollars', '250000x60', '0x50 250000x9'],
  ['PaymentUndecided', 'concours_oldest_undecided_payment_seconds', '60x60', '3000+60x60'],
  ['PayoutHeld', 'concours_payouts_unsettled{state="held"}', '1x60', '_x50 1x9'],
  ['PayoutsStuck', 'concours_payouts_unsettled{state="ready"}', '1x3 _x3 1x3 _x51', '1x60'],
  ['FacilitatorKeyWithoutGas', 'concours_facilitator_key_usable{address="0xaa"}', '1x60', '1x54 0 1x5'],
  ['DatabaseDown', 'concours_database_up', '1x60', '0x60'],
  ['PartDown', 'concours_dependency_up{part="chain"}', '1x60', '0x60'],
  ['InspectionsWait', 'concours_oldest_inspection_seconds', '5x60', '60+60x60'],
  ['WebhooksLate', 'concours_webhooks_oldest_undelivered_seconds', '2x60', '60+60x60'],
  ['OriginalUnavailable', 'concours_original_downloads_total{outcome="unavailable"}', '3x60', '0x50 1x9'],
  ['RequestsFail', 'concours_requests_total{operation="a",status="503"}', '0+1x60', '0+20x60'],
];
const answered = { series: 'concours_requests_total{operation="a",status="200"}', values: '0+100x60' };

it('has a case for each alert', async () => {
  const names = [...(await readFile(RULES, 'utf8')).matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  assert.deepEqual(
    names,
    cases.map(([alert]) => alert),
  );
});

it('lets each alert fire in its fault, and only there', async () => {
  const tests = cases.flatMap(([alert, series, well, fault]) =>
    [well, fault].map((values) => ({
      name: `${alert}: ${values}`,
      interval: '1m',
      input_series: [{ series, values }, ...(alert === 'RequestsFail' ? [answered] : [])],
      // How many alerts of this name fire.
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
          eval_time: '59m',
          exp_samples: [{ labels: '{}', value: values === fault ? 1 : 0 }],
        },
      ],
    })),
  );
  const file = join(folder, 'tests.yml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
  await run('promtool', ['check', 'rules', RULES]);
  await run('promtool', ['test', 'rules', file]);
});
