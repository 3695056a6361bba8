import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isObject, type Json } from './json-schema.ts';
import { tools } from './server.ts';

// Every text that a tool can return, and its author. A new field fails here until somebody has decided whether a model may
// trust it: `own` is of the caller, `service` is of the service and its operator, and the rest is of strangers. Only ids and
// times are left out, because they can hold no sentence.

type Texts = { own?: string[]; service?: string[]; stranger?: string[] };

const below = (parent: string, names: string[]) => names.map((name) => `${parent}.${name}`);

const BRIEF = [
  'title',
  'description',
  'requirements',
  'style_references',
  'color_preferences',
  'size_requirements',
  'metadata.tags',
];
const SPECIALIZATION = below('specializations', ['id', 'name', 'description', 'category']);
const PICTURES = below('reference_pictures', ['sha256', 'image_url', 'thumbnail_url']);
const REQUIRED = [
  '*',
  'error',
  'resource.*',
  'resource.url',
  'accepts.*',
  ...below('accepts', ['scheme', 'network', 'amount', 'asset', 'payTo']),
];
const TERMS = [
  '*',
  'reference_sha256s',
  'brief_sha256',
  'network',
  'asset',
  'pay_to',
  'licence.*',
  'licence.sha256',
  'selection',
  'tie',
  'silence.*',
  ...below('silence', ['entry_fees', 'shares', 'rest', 'platform_fee']),
  'hold.*',
  'hold.selections',
  'refunds.*',
  ...below('refunds', ['entry_fee', 'prize']),
  'poster',
  'operator',
];
const WINNER = ['winner.title', 'winner.agent.name'];
const WINNER_URLS = ['winner.image_url', 'winner.thumbnail_url'];

const OWN_BRIEF = {
  own: [...BRIEF, 'cancel_reason'],
  service: [...SPECIALIZATION, 'terms_hash', 'hold_reason', 'payouts.tx_hash'],
};
const ENTRY = {
  own: ['feedback_draft'],
  service: [
    'image_url',
    'thumbnail_url',
    'items.image_url',
    'items.thumbnail_url',
    'payout_tx_hash',
    'disqualify_reason',
    'judging_reason',
    'objection.decision_reason',
  ],
  stranger: ['title', 'description', 'agent.name', 'feedback', 'objection.reason'],
};

const market: Texts = {
  service: ['next_cursor', ...below('projects', [...SPECIALIZATION, ...WINNER_URLS])],
  stranger: below('projects', ['title', 'excerpt', 'color_preferences', 'poster.name', ...WINNER]),
};
const publicProject: Texts = {
  service: below('project', [...SPECIALIZATION, ...WINNER_URLS, ...PICTURES, 'terms_hash']),
  stranger: below('project', [
    ...BRIEF.map((name) => name.replace('metadata.', '')),
    'cancel_reason',
    'poster.name',
    ...WINNER,
  ]),
};
const terms: Texts = {
  service: [
    'terms_hash',
    'canonical',
    'licence_url',
    'versions.terms_hash',
    'brief.project_type_id',
    'brief.specializations',
    ...below('terms', TERMS),
  ],
  stranger: below(
    'brief',
    BRIEF.map((name) => name.replace('metadata.', '')),
  ),
};
const events = {
  own: ['origin', 'name'],
  service: ['recipient', 'tx_hash', 'address', 'key_id'],
};

const texts: Record<string, Texts> = {
  'public find_projects': market,
  'poster find_projects': market,
  'public get_project': publicProject,
  'poster get_project': publicProject,
  'public get_terms': terms,
  'agent get_terms': terms,
  'poster get_terms': terms,
  'public register_agent': {
    service: ['message', 'apiKey', 'avatar_url', 'terms_url', 'terms_version', 'warning', 'connect_again'],
  },
  'public register_poster': { service: ['message', 'apiKey', 'terms_url', 'terms_version', 'connect_again'] },

  'agent find_projects': {
    service: ['pagination.next_cursor', ...below('projects', SPECIALIZATION)],
    stranger: below('projects', BRIEF),
  },
  'agent get_project': {
    service: below('project', [...SPECIALIZATION, ...PICTURES, 'terms_hash', ...below('terms', TERMS)]),
    stranger: below('project', [...BRIEF, 'cancel_reason', 'poster.name']),
  },
  'agent quote_entry': {
    service: [
      ...below('reasons', ['code', 'message', 'details.field', 'details.message']),
      'next.until',
      'next.why',
      'terms_hash',
      'limits.file_types',
    ],
  },
  'agent enter_project': {
    own: ['project_id', 'submission_id'],
    service: ['upload.uploadUrl', 'next.until', 'next.why', ...REQUIRED],
  },
  'agent request_upload': { own: ['fileName'], service: ['message', 'uploadUrl', ...REQUIRED] },
  'agent confirm_entry': { service: ['message', 'items_missing.message'] },
  'agent my_entries': {
    own: ['submissions.title', 'submissions.description'],
    service: [
      'pagination.next_cursor',
      ...below('submissions', ['payment_tx_hash', 'files.refused_reason', 'thumbnail_url', 'next.until', 'next.why']),
    ],
    stranger: ['submissions.project_title'],
  },
  'agent my_account': {
    own: [
      ...below('agent', ['name', 'description', 'specializations', 'model_info.*', 'settings.preferredCategories']),
      ...below('agent.settings.workingHours', ['timezone', 'start', 'end']),
      'wallet.address',
      'wallet.pending.address',
      'webhooks.url',
      'webhooks.events',
    ],
    service: ['agent.statusReason', 'agent.avatar_url'],
  },
  'agent events': {
    own: below('events.data', events.own),
    service: ['cursor', ...below('events.data', [...events.service, 'project.specializations', 'project.terms_hash'])],
    stranger: below('events.data', [
      'reason',
      'question',
      'answer',
      ...below('project', ['title', 'description', 'requirements', 'size_requirements']),
    ]),
  },

  'agent fund_wallet': { own: ['address'], service: ['message'] },
  'poster fund_wallet': { own: ['address'], service: ['message'] },

  'poster draft_brief': {
    own: below('project', OWN_BRIEF.own),
    service: ['message', ...below('project', OWN_BRIEF.service)],
  },
  'poster publish_brief': {
    own: below('project', OWN_BRIEF.own),
    service: ['message', ...below('project', OWN_BRIEF.service), ...REQUIRED],
  },
  'poster my_briefs': {
    own: below('projects', OWN_BRIEF.own),
    service: ['pagination.next_cursor', ...below('projects', [...OWN_BRIEF.service, 'shown_entry.thumbnail_url'])],
    stranger: ['projects.shown_entry.title'],
  },
  'poster list_entries': {
    own: below('submissions', ENTRY.own),
    service: ['next_cursor', ...below('submissions', ENTRY.service)],
    stranger: below('submissions', ENTRY.stranger),
  },
  'poster score_entry': { own: ['review.feedback'], service: ['message'] },
  'poster choose_winner': {
    own: [...below('preview.entry', ENTRY.own), ...below('project', OWN_BRIEF.own)],
    service: ['preview.token', ...below('preview.entry', ENTRY.service), ...below('project', OWN_BRIEF.service)],
    stranger: below('preview.entry', ENTRY.stranger),
  },
  'poster get_delivery': {
    service: [
      ...below('files', ['sha256', 'url']),
      'zip_url',
      'previews.image_url',
      'previews.thumbnail_url',
      'licence.sha256',
      'licence.url',
      'manifest',
    ],
    stranger: ['files.file_name', 'entry.title', 'entry.agent.name'],
  },
  'poster events': {
    own: below('events.data', events.own),
    service: ['cursor', ...below('events.data', ['recipient', 'tx_hash', 'key_id'])],
    stranger: below('events.data', ['reason', 'question']),
  },
};

/** Returns the paths of a schema that can hold a sentence: any text but ids, times, and choices. */
function textsIn(node: unknown, path = ''): string[] {
  if (!isObject(node)) return [];
  const { anyOf, oneOf, allOf, items, properties, additionalProperties: others } = node;
  const branches = [anyOf, oneOf, allOf].filter((each) => Array.isArray(each)).flat();
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  return [
    ...branches.flatMap((branch: unknown) => textsIn(branch, path)),
    ...textsIn(items, path),
    ...(isObject(others) ? textsIn(others, at('*')) : []),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, each]) => textsIn(each, at(name))),
    ...(holdsText(node) ? [path] : []),
  ];
}

function holdsText(node: Json): boolean {
  const { type, format, enum: choices, const: one } = node;
  if (choices !== undefined || one !== undefined || format === 'uuid' || format === 'date-time') return false;
  // A schema without a type allows anything.
  const isOpen = ['type', 'anyOf', 'oneOf', 'allOf'].every((key) => node[key] === undefined);
  return isOpen || [type].flat().includes('string');
}

const sorted = (paths: string[]) => [...new Set(paths)].toSorted();
const unmarked = (path: string) => path.replaceAll(/untrusted_/g, '');

describe('the texts that a tool returns', () => {
  for (const tool of tools)
    for (const role of tool.roles)
      it(`each have an author: ${tool.name} of ${role}`, () => {
        const { own = [], service = [], stranger = [] } = texts[`${role} ${tool.name}`] ?? {};
        const found = textsIn(tool.schemas().outputSchema);
        assert.deepEqual(sorted(found.map(unmarked)), sorted([...own, ...service, ...stranger]));
        const marked = found.filter((path) => /(?:^|\.)untrusted_[^.]+$/.test(path));
        assert.deepEqual(sorted(marked.map(unmarked)), sorted(stranger));
      });

  it('are listed for no tool that does not exist', () => {
    const known = tools.flatMap(({ name, roles }) => roles.map((role) => `${role} ${name}`));
    assert.deepEqual(Object.keys(texts).toSorted(), known.toSorted());
  });
});
