import { expect, test } from '@jest/globals';
import { eventForFunction, eventRulesOf, type PutEvent, putEvents } from '../../infra/local/aws/event-bus.ts';
import { Deployment, type Template } from '../../infra/local/templates/template.ts';

const FUNCTION = 'arn:aws:lambda:eu-west-1:000000000000:function:receiver';
const rule = (Properties: object) => ({ Type: 'AWS::Events::Rule', Properties });
const rulesOf = (properties: object, principal = 'events.amazonaws.com') => {
  const Resources = {
    Rule: rule({ EventBusName: 'bus', Targets: [{ Arn: FUNCTION }], ...properties }),
    Every: rule({ ScheduleExpression: 'rate(1 minute)', Targets: [{ Arn: FUNCTION }] }),
    Permission: {
      Type: 'AWS::Lambda::Permission',
      Properties: { Action: 'lambda:InvokeFunction', FunctionName: FUNCTION, Principal: principal },
    },
  };
  return eventRulesOf(new Deployment([{ name: 'app', template: { Resources } as unknown as Template }]));
};
const EVENT: PutEvent = { busName: 'bus', source: 'app', type: 'Paid', detail: { id: '1' } };

test.each<[string, object, boolean]>([
  ['its source and type', { source: ['app'], 'detail-type': ['Paid', 'Sent'] }, true],
  ['its source', { source: ['app'] }, true],
  ['a different source', { source: ['other'] }, false],
  ['a different type', { source: ['app'], 'detail-type': ['Sent'] }, false],
])('a rule for %s matches an event accordingly', (_, EventPattern, expected) => {
  const [one, ...others] = rulesOf({ EventPattern });
  expect(others).toEqual([]);
  expect(one?.functionArn).toBe(FUNCTION);
  expect(one?.matches(EVENT)).toBe(expected);
  expect(one?.matches({ ...EVENT, busName: 'another' })).toBe(false);
});

test('a disabled rule runs nothing, and a rule without a permission or with an unsupported pattern is rejected', () => {
  expect(rulesOf({ EventPattern: {}, State: 'DISABLED' })).toEqual([]);
  expect(() => rulesOf({ EventPattern: {} }, 'other.amazonaws.com')).toThrow('has no permission to invoke');
  expect(() => rulesOf({ EventPattern: { detail: { id: ['1'] } } })).toThrow();
});

test('events are accepted only from a function that may put them on the bus', () => {
  const published: PutEvent[] = [];
  const deny = () => ({ status: 400, content: { __type: 'AccessDeniedException' } });
  const Entries = [{ EventBusName: 'bus', Source: 'app', DetailType: 'Paid', Detail: '{"id":"1"}' }];
  const put = (isAllowed: boolean) =>
    putEvents((event) => published.push(event), { arn: 'x', authorise: () => isAllowed }, { Entries }, deny);
  expect(put(false).status).toBe(400);
  expect(published).toEqual([]);
  expect(put(true)).toMatchObject({ status: 200, content: { FailedEntryCount: 0 } });
  expect(published).toEqual([EVENT]);
  expect(eventForFunction(EVENT, 0)).toMatchObject({
    'detail-type': 'Paid',
    time: '1970-01-01T00:00:00Z',
    detail: { id: '1' },
  });
});
