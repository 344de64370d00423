import vendorFields from '../../docs/vendor-fields.json' with { type: 'json' };
import { MOST_ADDRESSES } from '../../shared/accounts/console/bodies.ts';
import { MISS_LIMIT, ORGANISATION_MISS_LIMIT } from '../../shared/accounts/guess-limit.ts';
import {
  MAX_ACTIVE,
  MAX_ACTIVE_PER_LABEL,
  MAX_CREATED_PER_DAY,
} from '../../shared/accounts/manage-api-key.ts';
import { DEFAULT_RATE_LIMIT } from '../../shared/accounts/organisation.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { numberFormat } from '../../shared/core/numbers.ts';
import { OUTCOMES } from '../../shared/core/outcome.ts';
import { MAX_BYTES } from '../../shared/http/read-json.ts';
import { MAX_REPLAYS } from '../../shared/ledger/rows/idempotency.ts';
import { MOST_OWNED } from '../../shared/members/create-organisation.ts';
import { MOST_A_DAY, MOST_FROM_NETWORK_A_DAY, MOST_OPEN } from '../../shared/members/invite-member.ts';
import { MAIL_LIMITS } from '../../shared/members/person-limiter-table.ts';
import { MOST_UNPAID } from '../../shared/payments/orders/open-once.ts';
import { LIVE_PROVIDERS } from '../../shared/registries/providers/catalogue.ts';
import { ALL_PROVIDERS } from '../../shared/registries/providers/connections.ts';
import { explainRequest } from '../../shared/verifications/console/explain-request.ts';
import { gatewayService, NUMBER_ALIASES, SERVICES } from '../../shared/verifications/services.ts';
import { EVENT_TYPE_VIEWS, REASONS } from '../../shared/webhooks/console/webhook-views.ts';
import { MOST_ENDPOINTS } from '../../shared/webhooks/endpoint.ts';
import { sampleEvent } from '../../shared/webhooks/event-sample.ts';
import { bodyOf, DELIVERED_TYPES, EVENT_DATA } from '../../shared/webhooks/event-type.ts';
import { SENDS_LIMIT } from '../../shared/webhooks/sends-limit.ts';
import { apiKeylessTotal } from '../constructs/api/api-limits.ts';
import { type ApiDocument, readDocument, routesOf, type Schema } from '../site/document.ts';
import { fieldTable, table } from '../site/field-table.ts';
import { COMMON } from '../stages/common.ts';
import { codeTable, withTable } from './code-table.ts';
import { reasonTable } from './reason-table.ts';
import { RECORD_SERVICES } from './route-codes.ts';
import { recordName } from './schemas.ts';

/** The generated tables and numbers of pages. `npm run openapi` writes them. */

const code = (text: string) => `\`${text}\``;

function routeTable(): string {
  const rows = routesOf(readDocument()).map(({ method, path, operation }) => [
    operation.summary,
    code(`${method} ${path.replace(/^\/api|\/$/g, '')}`),
  ]);
  return table(['Operation', 'Route'], rows);
}

function formatTable(): string {
  const rows = ID_TYPES.map((idType) => {
    const { text, example } = numberFormat(idType);
    return [idType, text, code(example), code(NUMBER_ALIASES[idType])];
  });
  return table(['ID type', 'Format', 'Example', 'Other name for `id_number`'], rows);
}

/** The fields of each record, of a Premium record only those that the Basic record lacks. */
function recordTables(): string {
  const document = readDocument();
  return RECORD_SERVICES.map((service) => {
    const { idType, level } = SERVICES[service];
    const base = level === 'premium' && gatewayService(idType, 'basic');
    const others = base ? Object.keys(schemaOf(document, recordName(base)).properties ?? {}) : [];
    const { properties = {}, ...schema } = schemaOf(document, recordName(service));
    const own = Object.entries(properties).filter(([field]) => !others.includes(field));
    const shown = fieldTable(document, { ...schema, properties: Object.fromEntries(own) });
    const hasLevels = gatewayService(idType, 'premium') !== undefined;
    const title = hasLevels ? `${idType} ${level === 'basic' ? 'Basic' : 'Premium'}` : idType;
    return `## ${title}\n\n${base ? `All fields of ${idType} Basic, and:\n\n` : ''}${shown}`;
  }).join('\n\n');
}

const schemaOf = ({ components }: ApiDocument, name: string) => components['schemas']?.[name] as Schema;

const KEYLESS = apiKeylessTotal(COMMON);

/** The numbers that a page quotes, each after a marker such as `<!-- number: maxBytes -->`. */
const NUMBERS: Readonly<Record<string, number>> = {
  perSecond: DEFAULT_RATE_LIMIT.perSecond,
  burst: DEFAULT_RATE_LIMIT.burst,
  misses: MISS_LIMIT.burst,
  missSeconds: 1 / MISS_LIMIT.perSecond,
  missesOfAll: ORGANISATION_MISS_LIMIT.burst / MISS_LIMIT.burst,
  maxBytes: MAX_BYTES,
  maxReplays: MAX_REPLAYS,
  maxActive: MAX_ACTIVE,
  maxActivePerLabel: MAX_ACTIVE_PER_LABEL,
  maxCreated: MAX_CREATED_PER_DAY,
  addresses: MOST_ADDRESSES,
  owned: MOST_OWNED,
  signUps: MOST_FROM_NETWORK_A_DAY,
  openInvitations: MOST_OPEN,
  invitations: MOST_A_DAY,
  invitationsBefore: MAIL_LIMITS.invitation.burst,
  notices: MAIL_LIMITS.notice.burst,
  endpoints: MOST_ENDPOINTS,
  sends: SENDS_LIMIT.burst,
  unpaidTopUps: MOST_UNPAID,
  keylessRate: KEYLESS.rateLimit,
  keylessBurst: KEYLESS.burstLimit,
};

function vendorTables(): string {
  const cell = (names: readonly string[] = []) => names.map(code).join(' or ');
  return Object.entries<Readonly<Record<string, { dojah?: string[]; prembly?: string[] }>>>(vendorFields)
    .map(([idType, fields]) => {
      const rows = Object.entries(fields).map(([ours, { dojah, prembly }]) => [
        cell(dojah),
        cell(prembly),
        code(ours),
      ]);
      return `### ${idType}\n\n${table(['Dojah', 'Prembly', 'here'], rows)}`;
    })
    .join('\n\n');
}

const SPECIAL_NUMBERS = { VNIN: 'virtual NIN', NIN: 'NIN as TIN', RC: 'RC number as TIN' } as const;

function providerTable(): string {
  const rows = Object.entries(LIVE_PROVIDERS).map(([name, { displayName, idTypes, ...entry }]) => {
    const special =
      'specialNumbers' in entry ? entry.specialNumbers.map((kind) => SPECIAL_NUMBERS[kind]) : [];
    const served = [...Object.keys(idTypes), ...special].join(', ');
    const { hosts, credentialSchema } = ALL_PROVIDERS[name as keyof typeof ALL_PROVIDERS].endpoint;
    const entries = 'entries' in credentialSchema ? (credentialSchema.entries as SchemaEntries) : {};
    const keys = Object.entries(entries).map(([key, { type }]) =>
      type === 'optional' ? `[${code(key)}]` : code(key),
    );
    return [displayName, code(name), served, hosts.join(', '), keys.join(', ')];
  });
  return table(['Provider', 'Name', 'Serves', 'Hosts', 'Secret'], rows);
}

/** The part of a valibot object schema that the table shows. */
type SchemaEntries = Readonly<Record<string, { readonly type: string }>>;

function eventTable(): string {
  const rows = EVENT_TYPE_VIEWS.map(({ type, about }) => {
    const fields = Object.entries<{ type: string }>(EVENT_DATA[type].entries);
    const data = fields.map(
      ([name, schema]) => `${code(name)} (${schema.type === 'number' ? 'integer' : 'string'})`,
    );
    return [code(type), about, data.join(', ')];
  });
  return table(['`type`', 'Published when', '`data`'], rows);
}

function eventSamples(): string {
  const bodies = DELIVERED_TYPES.map((type) => {
    const sample = sampleEvent(type, { env: 'live', organisationId: '' }, Date.parse('2026-11-25T09:00:00Z'));
    return bodyOf({ ...sample, id: 'test_01KF0ZB7M0000000000000000V' });
  });
  return `\`\`\`json\n${bodies.join('\n')}\n\`\`\``;
}

function deliveryReasons(): string {
  return table(
    ['Reason', 'Meaning'],
    Object.entries(REASONS).map(([reason, text]) => [code(reason), text]),
  );
}

function outcomeTable(): string {
  const rows = OUTCOMES.map((outcome) => {
    const { meaning } = explainRequest({ outcome, httpStatus: 0, creditsCharged: 0 });
    return [code(outcome), meaning];
  });
  return table(['`outcome`', 'Meaning'], rows);
}

/** The generated tables of each page, by the name in their markers. */
export const GUIDE_TABLES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/guides/api.md': { routes: routeTable },
  'docs/guides/requests.md': { formats: formatTable },
  'docs/guides/records.md': { records: recordTables },
  'docs/guides/errors.md': { codes: codeTable, reasons: reasonTable },
  'docs/guides/limits.md': {},
  'docs/guides/log.md': { outcomes: outcomeTable },
  'docs/guides/webhooks.md': { events: eventTable, samples: eventSamples, reasons: deliveryReasons },
  'docs/guides/move.md': { 'vendor fields': vendorTables },
  'docs/operate/capacity.md': {},
  'docs/operate/registries.md': { providers: providerTable },
};

/** Returns a page with its current tables and numbers. */
export function withGuideTables(path: string, page: string): string {
  const tables = Object.entries(GUIDE_TABLES[path] ?? {});
  return tables
    .reduce((text, [name, build]) => withTable(text, name, `${build().trimEnd()}\n`), page)
    .replaceAll(/(<!-- number: (\w+) -->)(?:\d+(?:,\d{3})*)?/g, (_, marker: string, name: string) => {
      if (!Object.hasOwn(NUMBERS, name)) throw new Error(`${path}: there is no number ${name}.`);
      return marker + (NUMBERS[name] ?? 0).toLocaleString('en-GB');
    });
}
