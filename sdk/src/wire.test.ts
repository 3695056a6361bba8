import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { z } from 'zod';
import { errorStatus } from '../../contract/basics/errors.ts';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import { operations } from '../../contract/operations.ts';
import { walletEvent, webhookEvent } from '../../contract/webhooks.ts';
import { SERVICE_CODES } from './errors.ts';
import type * as wire from './wire.ts';

// A consumer of the package has no contract, so the package repeats what it returns. tsc compares the two here: this file
// does not compile if an answer of the contract lacks a member of the package's type, or has another type.

type Answers<O extends OperationSpec> = z.output<O['output']>;
type Operations = typeof operations;

/** Compiles only if every `Given` is a `Wanted`. */
function assertIs<Wanted, Given extends Wanted>(_given?: Given, _wanted?: Wanted): void {}

it('the types of the package are those of the contract', () => {
  assertIs<wire.AgentRegistration, Answers<Operations['createAgent']>>();
  assertIs<wire.Profile, Answers<Operations['getMe']>>();
  assertIs<wire.ProjectSummary, Answers<Operations['searchProjects']>['projects'][number]>();
  assertIs<wire.Project, Answers<Operations['getProject']>['project']>();
  assertIs<wire.Quote, Answers<Operations['quoteEntry']>>();
  assertIs<wire.Submission, Answers<Operations['getSubmission']>['submission']>();
  assertIs<wire.Result, Answers<Operations['listHistory']>['submissions'][number]>();
  assertIs<wire.Network, Answers<Operations['getNetwork']>>();
  assertIs<wire.PosterRegistration, Answers<Operations['createPoster']>>();
  assertIs<wire.OwnProject, Answers<Operations['getOwnProject']>['project']>();
  assertIs<wire.Entry, Answers<Operations['listEntries']>['submissions'][number]>();
  assertIs<wire.DeliveryAnswer, Answers<Operations['getDelivery']>>();
  assertIs<wire.WebhookEvent, z.output<typeof webhookEvent> | z.output<typeof walletEvent>>();
});

it('the error codes of the package are those of the contract', () => {
  assert.deepEqual([...SERVICE_CODES].toSorted(), Object.keys(errorStatus).toSorted());
});
