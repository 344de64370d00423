import {
  type ApiDocument,
  type MediaType,
  type Parameter,
  type Route,
  resolve,
  routesOf,
  type Schema,
} from '../site/document.ts';
import type { JsonSchema } from './json-schemas.ts';

/** A Postman collection (format 2.1) with a request for each operation, for those who try the API without code. */

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** Returns the collection. Its variables are the address of the service and the API key. */
export function postmanCollection(document: ApiDocument): JsonSchema {
  const routes = routesOf(document);
  const folders = document.tags.map(({ name, description }) => ({
    name,
    description,
    item: routes
      .filter(({ operation }) => operation.tags.includes(name))
      .map((route) => request(document, route)),
  }));
  return {
    info: {
      name: document.info.title,
      description: 'Set the variables `baseUrl` and `apiKey`. A test key reaches only the sandbox.',
      schema: FORMAT,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: document.servers[0]?.url ?? '' },
      { key: 'apiKey', value: '' },
    ],
    item: folders.filter(({ item }) => item.length > 0),
  };
}

function request(document: ApiDocument, { method, path, operation }: Route): JsonSchema {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
  const content = Object.entries(operation.requestBody?.content ?? {});
  return {
    name: operation.summary,
    request: {
      method,
      description: operation.description,
      ...(operation.security?.length === 0 && { auth: { type: 'noauth' } }),
      url: urlOf(path, parameters),
      header: [
        ...content.map(([type]) => ({ key: 'Content-Type', value: type })),
        ...filledIn(parameters, 'header'),
      ],
      ...(content[0] && { body: bodyOf(document, ...content[0]) }),
    },
  };
}

/** Optional parameters are listed, but not sent. */
function filledIn(parameters: readonly Parameter[], location: Parameter['in']): JsonSchema[] {
  return parameters
    .filter((parameter) => parameter.in === location)
    .map(({ name, description, required = false }) => ({
      key: name,
      value: '',
      description,
      ...(!required && { disabled: true }),
    }));
}

function urlOf(path: string, parameters: readonly Parameter[]): JsonSchema {
  const parts = path.split('/').slice(1);
  const inPostman = parts.map((part) => part.replace(/^\{(.+)\}$/, ':$1'));
  const [query, variable] = [filledIn(parameters, 'query'), filledIn(parameters, 'path')];
  return {
    raw: `{{baseUrl}}/${inPostman.join('/')}`,
    host: ['{{baseUrl}}'],
    path: inPostman,
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
}

function bodyOf(document: ApiDocument, type: string, { schema }: MediaType): JsonSchema {
  const { default: shown, properties = {} } = resolve<Schema>(document, schema);
  if (type === 'application/json')
    return { mode: 'raw', raw: JSON.stringify(shown ?? {}, null, 2), options: { raw: { language: 'json' } } };
  return { mode: 'urlencoded', urlencoded: Object.keys(properties).map((key) => ({ key, value: '' })) };
}
