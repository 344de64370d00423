import { createHash } from 'node:crypto';

/** Names and ARNs of resources on this machine. The account is fictitious. */

export const REGION = 'eu-west-1';
export const ACCOUNT_ID = '000000000000';
export const URL_SUFFIX = 'amazonaws.com';

export const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT_ID,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': URL_SUFFIX,
};

/** The property that sets the physical name of a resource, by resource type. */
export const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::IAM::Role': 'RoleName',
  'AWS::Events::EventBus': 'Name',
  'AWS::Events::Rule': 'Name',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::ApiGateway::Stage': 'StageName',
  'AWS::Cognito::UserPoolDomain': 'Domain',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::S3::Bucket': 'BucketName',
};

/** The functions that build the ARN of a resource from its physical name, by resource type. */
export const ARN_PATTERNS: Readonly<Record<string, (name: string) => string>> = {
  'AWS::DynamoDB::Table': (name) => arn('dynamodb', `table/${name}`),
  'AWS::DynamoDB::GlobalTable': (name) => arn('dynamodb', `table/${name}`),
  'AWS::Lambda::Function': (name) => arn('lambda', `function:${name}`),
  // Secrets Manager appends six random characters to each ARN. Here they are derived from the name.
  'AWS::SecretsManager::Secret': (name) =>
    arn('secretsmanager', `secret:${name}-${digest(name).slice(0, 6)}`),
  'AWS::IAM::Role': (name) => `arn:aws:iam::${ACCOUNT_ID}:role/${name}`,
  'AWS::Cognito::UserPool': (name) => arn('cognito-idp', `userpool/${name}`),
  'AWS::KMS::Key': (name) => arn('kms', `key/${name}`),
  'AWS::Events::EventBus': (name) => arn('events', `event-bus/${name}`),
  'AWS::Events::Rule': (name) => arn('events', `rule/${name}`),
  'AWS::SQS::Queue': (name) => arn('sqs', name),
  'AWS::S3::Bucket': (name) => `arn:aws:s3:::${name}`,
  'AWS::Logs::LogGroup': (name) => arn('logs', `log-group:${name}:*`),
};

/** The path of a queue's URL. */
export const queuePath = (name: string) => `/${ACCOUNT_ID}/${name}`;

export function arn(service: string, rest: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT_ID}:${rest}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
