import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';
import type { CodeSample } from '../openapi/samples.ts';
import {
  type ApiDocument,
  type MediaType,
  type Operation,
  type Parameter,
  type Route,
  resolve,
  routesOf,
  samplesOf,
} from './document.ts';
import { descriptionOf, fieldTable, table, typeOf } from './field-table.ts';
import { escaped } from './markdown.ts';

/** The API reference: one page for each operation of the OpenAPI document, as Markdown. */

/** A generated page of the reference. */
interface ReferencePage {
  /** On the site, without the extension. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

export function referencePages(document: ApiDocument): ReferencePage[] {
  const routes = routesOf(document);
  return [overview(document, routes), ...routes.map((route) => operationPage(document, route))];
}

export const pathOf = ({ operation }: Route) => `reference/${operation.operationId}`;

function overview(document: ApiDocument, routes: readonly Route[]): ReferencePage {
  const groups = document.tags.flatMap(({ name, description }) => {
    const ofTag = routes.filter(({ operation }) => operation.tags.includes(name));
    // The page about webhooks describes them.
    if (ofTag.length === 0) return [];
    const rows = ofTag.map((route) => [
      `[${route.operation.summary}](/${pathOf(route)}.md)`,
      `\`${route.method} ${route.path}\``,
    ]);
    return `## ${name}\n\n${description}\n\n${table(['Operation', 'Route'], rows)}`;
  });
  const intro = `Version ${document.info.version}. Every path works under \`/api/v1\` and \`/v1\`, with and without a trailing slash. Send the API key as \`Authorization: Bearer <API key>\`. [Responses](/guides/responses.md) explains the envelope. The [playground](/guides/console.md#playground) of the console needs no code.

The same information for programs: [openapi.json](/files/docs/openapi.json) (OpenAPI 3.1). For Postman: [postman_collection.json](/files/docs/postman_collection.json).`;
  return {
    path: 'reference/index',
    title: 'API reference',
    text: `# API reference\n\n${intro}\n\n${groups.join('\n\n')}\n`,
  };
}

function operationPage(document: ApiDocument, route: Route): ReferencePage {
  const { method, path, operation } = route;
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
  const body = operation.requestBody?.content['application/json'];
  const sections = [
    `# ${operation.summary}`,
    `\`${method} ${path}\``,
    escaped(operation.description),
    codeTabs(samplesOf(route)),
    section('Parameters', parameterTable(document, parameters)),
    body &&
      section(
        'Request body',
        `${operation.requestBody?.description ?? ''}\n\n${fieldTable(document, body.schema)}`,
      ),
    section('Response', response(document, operation)),
    section('Errors', errorTable(operation)),
  ];
  return {
    path: pathOf(route),
    title: operation.summary,
    text: `${sections.filter(Boolean).join('\n\n')}\n`,
  };
}

const section = (title: string, text: string) => (text ? `## ${title}\n\n${text}` : '');

/** Returns the samples as tabs, one for each language. */
export function codeTabs(samples: readonly CodeSample[]): string {
  if (samples.length === 0) return '';
  const blocks = samples.map(
    ({ lang, label = lang, source }) => `\`\`\`${lang.toLowerCase()} [${label}]\n${source.trimEnd()}\n\`\`\``,
  );
  return `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`;
}

function parameterTable(document: ApiDocument, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ name, in: location, required, description, schema }) => [
    `\`${name}\``,
    location,
    required ? typeOf(document, schema) : `${typeOf(document, schema)}, optional`,
    descriptionOf({ ...resolve(document, schema), description }),
  ]);
  return table(['Parameter', 'In', 'Type', 'Description'], rows);
}

/** Returns the section about the successful response: its fields and an example. */
function response(document: ApiDocument, { responses }: Operation): string {
  const [status, found] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  if (!status || !found) return '';
  const { description, content = {} } = resolve(document, found);
  const [type = '', media] = Object.entries(content)[0] ?? [];
  const intro = `**${status}** ${escaped(description)}`;
  if (!media || type !== 'application/json') return `${intro}\n\nThe body is \`${type}\`.`;
  const example = firstExample(document, media);
  const shown =
    example === undefined ? '' : `\`\`\`json\n${JSON.stringify(shortened(example), null, 2)}\n\`\`\``;
  return [intro, dataTable(document, media), shown].filter(Boolean).join('\n\n');
}

/** Returns the table of the fields of `data`. docs/guides/responses.md describes the rest of the envelope. */
function dataTable(document: ApiDocument, { schema }: MediaType): string {
  const { properties, oneOf } = resolve(document, schema);
  if (oneOf) return 'The record is the one that the dedicated route for the ID type and level returns.';
  const data = properties?.['data'];
  if (!data) return '';
  // The other alternative is the number alone, with `match_only`.
  const [record = data] = resolve(document, data).anyOf ?? [];
  return `\`data\` has these fields:\n\n${fieldTable(document, record)}`;
}

/** Returns the table of the error codes of the operation, by status. */
function errorTable(operation: Operation): string {
  const codes = (operation['x-error-codes'] ?? []).filter(isErrorCode);
  if (codes.length === 0) return '';
  const byStatus = Object.groupBy(codes, (code) => CATALOGUE[code].status);
  const rows = Object.entries(byStatus).map(([status, found = []]) => [
    status,
    found.map((code) => `\`${code}\``).join(' '),
  ]);
  return `${table(['HTTP', 'Codes'], rows)}\n\n[All codes](/guides/errors.md#all-codes) says for each code whether the request was charged and whether to retry it.`;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(CATALOGUE, code);
}

function firstExample(document: ApiDocument, { examples = {} }: MediaType): unknown {
  const [example] = Object.values(examples);
  return example && resolve(document, example).value;
}

const MAX_TEXT = 60;
const MAX_ITEMS = 2;

/** Returns the example with long texts, such as photos, and long lists shortened. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, 24)}...` : value;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(shortened);
    return value.length > MAX_ITEMS ? [...items, '...'] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shortened(entry)]));
}
