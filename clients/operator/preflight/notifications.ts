import { ListSubscriptionsByTopicCommand, SNSClient, type Subscription } from '@aws-sdk/client-sns';
import { CLIENT_SETTINGS, call } from './aws-call.ts';
import { fault, notYet, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

export async function checkAlarms({ stacks, config, region }: World): Promise<Row[]> {
  const check = 'alarms';
  const { alarmEmail, ticketEmail } = config.operations ?? {};
  const topics = await stacks.outputs('operations');
  if (!topics?.['AlarmTopic'])
    return [
      notYet(check, 'The alarm topic is not deployed yet.', `npm run deploy -- -c stage=${config.stage}`),
    ];
  const { AlarmTopic, TicketTopic } = topics;
  const rows = [await checkTopic({ topic: AlarmTopic, setting: 'alarmEmail', email: alarmEmail, region })];
  if (ticketEmail && TicketTopic)
    rows.push(await checkTopic({ topic: TicketTopic, setting: 'ticketEmail', email: ticketEmail, region }));
  return rows;
}

interface Receiver {
  readonly topic: string;
  readonly setting: string;
  readonly email: string | undefined;
  readonly region: string;
}

async function checkTopic({ topic, setting, email, region }: Receiver): Promise<Row> {
  const check = 'alarms';
  const subscriptions = await subscriptionsOf(topic, region);
  const isConfirmed = ({ SubscriptionArn }: Subscription) => SubscriptionArn?.startsWith('arn:') === true;
  const subscribe = (address: string) =>
    `aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint ${address} --region ${region}`;
  if (email !== undefined) {
    const own = subscriptions.filter(({ Endpoint }) => Endpoint === email);
    if (own.some(isConfirmed)) return ok(check, `The subscription of ${setting} is confirmed.`);
    return fault(
      check,
      `${email} has not confirmed its subscription to the alarms, so no alarm is sent to this address.`,
      '# Open the link in the email "AWS Notification - Subscription Confirmation". This command sends it again:',
      subscribe(email),
    );
  }
  const confirmed = subscriptions.filter(isConfirmed).length;
  if (confirmed > 0) return ok(check, `Confirmed subscribers to the alarms: ${confirmed}.`);
  return fault(
    check,
    'No one receives the alarms: the stage has no alarmEmail, and the topic has no confirmed subscriber.',
    '# Set operations.alarmEmail and deploy, or subscribe an address yourself:',
    subscribe('<address>'),
  );
}

async function subscriptionsOf(TopicArn: string, region: string): Promise<Subscription[]> {
  const client = new SNSClient({ ...CLIENT_SETTINGS, region });
  const found: Subscription[] = [];
  let NextToken: string | undefined;
  do {
    const page = await call('sns:ListSubscriptionsByTopic', () =>
      client.send(new ListSubscriptionsByTopicCommand({ TopicArn, NextToken })),
    );
    found.push(...(page.Subscriptions ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return found;
}
