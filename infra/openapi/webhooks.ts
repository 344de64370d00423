import * as v from 'valibot';
import { EVENT_TYPE_VIEWS } from '../../shared/webhooks/console/webhook-views.ts';
import {
  DELIVERED_TYPES,
  type DeliveredType,
  EVENT_DATA,
  eventBody,
} from '../../shared/webhooks/event-type.ts';
import { type JsonSchema, outputSchema, responseSchema } from './json-schemas.ts';

/** The requests that the service sends to the webhooks of customers (docs/guides/webhooks.md), one for each event. */

const TEST = 'A member sends it to one endpoint, whichever events it receives.';

function eventName(type: DeliveredType): string {
  return `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

export function webhooks(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(DELIVERED_TYPES.map((type) => [type, { post: eventOperation(type) }]));
}

function eventOperation(type: DeliveredType): JsonSchema {
  const description = EVENT_TYPE_VIEWS.find((view) => view.type === type)?.about ?? TEST;
  return {
    operationId: `receive${eventName(type)}`,
    tags: ['Webhooks'],
    summary: `Event ${type}`,
    description,
    security: [],
    parameters: headers(),
    requestBody: { required: true, content: { 'application/json': { schema: eventSchema(type) } } },
    responses: {
      '2XX': { description: 'You stored the event. Any other status is an attempt that failed.' },
      '410': { description: 'You want no more events. The service disables the endpoint.' },
    },
  };
}

/** Of Standard Webhooks 1.0. */
const HEADERS = {
  'webhook-id': {
    description: 'The ID of the event, which is the same in every attempt.',
    schema: { type: 'string' },
  },
  'webhook-timestamp': {
    description: 'The time of the attempt, in seconds since 1970.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  'webhook-signature': {
    description:
      'One or two signatures with a space between them. Each is `v1,` and the HMAC-SHA256, in base64, of ID, timestamp and body with full stops between them.',
    schema: { type: 'string' },
  },
} as const;

/** Neither headers nor bodies are in `components`: oapi-codegen leaves out the types that only webhooks use. */
function headers(): readonly JsonSchema[] {
  return Object.entries(HEADERS).map(([name, keywords]) => ({
    name,
    in: 'header',
    required: true,
    ...keywords,
  }));
}

/** The title is its name in generated code. */
function eventSchema(type: DeliveredType): JsonSchema {
  const schema = v.object({ ...eventBody.entries, type: v.literal(type), data: EVENT_DATA[type] });
  return { title: eventName(type), ...responseSchema(outputSchema(schema, {}, FIELDS)) };
}

const FIELDS = {
  id: 'As in `webhook-id`: the same in every attempt.',
  timestamp: 'When the event was published. ISO 8601 in UTC.',
  available: 'Whole credits, without held ones.',
  low_below: 'Your threshold in whole credits.',
  credits: 'Whole credits.',
  sequence: 'Of the events of a wallet, a later one has a higher number.',
  not_after: 'When the key expires. ISO 8601 in UTC.',
} as const;
