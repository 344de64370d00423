import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { callPermissions } from '../functions/definitions.ts';
import { ACCOUNT_ID, arn, REGION } from '../templates/physical-names.ts';
import type { Deployment } from '../templates/template.ts';
import { type AwsResponse, awsError, type Deny } from './aws-response.ts';
import type { Principal } from './principals.ts';

/** EventBridge: passes events to the functions of the rules that match them. */

/** A rule of an event bus that runs a function. */
export interface EventRule {
  readonly ruleArn: string;
  readonly functionArn: string;
  matches(event: PutEvent): boolean;
}

/** An event as its publisher sends it. */
export interface PutEvent {
  readonly busName: string;
  readonly source: string;
  readonly type: string;
  readonly detail: unknown;
}

const ruleShape = v.object({
  EventBusName: v.string(),
  EventPattern: v.strictObject({
    source: v.optional(v.array(v.string())),
    'detail-type': v.optional(v.array(v.string())),
  }),
  State: v.optional(v.picklist(['ENABLED', 'DISABLED']), 'ENABLED'),
  Targets: v.array(v.object({ Arn: v.string() })),
});

/** Returns the rules of event buses. Throws if a rule has no permission to invoke its function. */
export function eventRulesOf(deployment: Deployment): EventRule[] {
  const mayCall = callPermissions(deployment);
  return deployment.ofType('AWS::Events::Rule').flatMap((resource) => {
    const properties = deployment.properties(resource);
    if (properties['EventPattern'] === undefined) return [];
    const { EventBusName, EventPattern, State, Targets } = v.parse(ruleShape, properties);
    const ruleArn = deployment.arn(resource);
    const { source: sources, 'detail-type': types } = EventPattern;
    const matches = ({ busName, source, type }: PutEvent) =>
      busName === EventBusName && (sources?.includes(source) ?? true) && (types?.includes(type) ?? true);
    if (State === 'DISABLED') return [];
    return Targets.map(({ Arn }) => {
      if (!mayCall('events.amazonaws.com', ruleArn, Arn))
        throw new Error(`${ruleArn} has no permission to invoke ${Arn}.`);
      return { ruleArn, functionArn: Arn, matches };
    });
  });
}

const requestShape = v.object({
  Entries: v.array(
    v.object({
      EventBusName: v.string(),
      Source: v.string(),
      DetailType: v.string(),
      Detail: v.pipe(v.string(), v.parseJson()),
    }),
  ),
});

/** Handles `PutEvents`. `publish` receives each event. */
export function putEvents(
  publish: (event: PutEvent) => void,
  principal: Principal,
  body: unknown,
  deny: Deny,
): AwsResponse {
  const request = v.safeParse(requestShape, body);
  if (!request.success)
    return awsError('ValidationException', 'The local runtime does not support this event.');
  const entries = request.output.Entries;
  for (const { EventBusName } of entries) {
    const bus = arn('events', `event-bus/${EventBusName}`);
    if (!principal.authorise('events:PutEvents', bus)) return deny('events:PutEvents', bus);
  }
  for (const { EventBusName: busName, Source: source, DetailType: type, Detail: detail } of entries)
    publish({ busName, source, type, detail });
  return {
    status: 200,
    content: { FailedEntryCount: 0, Entries: entries.map(() => ({ EventId: randomUUID() })) },
  };
}

/** Returns the event that a function receives. */
export function eventForFunction({ source, type, detail }: PutEvent, atMs: number): object {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': type,
    source,
    account: ACCOUNT_ID,
    time: new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z'),
    region: REGION,
    resources: [],
    detail,
  };
}
