import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startAwsEndpoint } from '../../infra/local/aws/aws-endpoint.ts';
import { Mailbox } from '../../infra/local/aws/mail.ts';
import { authoriser } from '../../infra/local/aws/policy.ts';
import { type AwsCredentials, Principals, sdkEnvironment } from '../../infra/local/aws/principals.ts';
import { Secrets } from '../../infra/local/aws/secrets.ts';
import { Deployment } from '../../infra/local/templates/template.ts';

/** Cognito and SES at the local endpoint, under the policies of a role. */

const POOL_ARN = 'arn:aws:cognito-idp:eu-west-1:000000000000:userpool/pool';
const FROM = 'console@example.com';
const client = {
  ...{ id: 'client', name: 'console', secret: 'a secret', scopes: ['openid'] },
  ...{ callbackUrls: ['http://127.0.0.1:3001/back'], logoutUrls: ['http://127.0.0.1:3001/out'] },
};
const directory = mkdtempSync(join(tmpdir(), 'identity-mail-'));
const principals = new Principals();
const denials: string[] = [];
const endpoint = await startAwsEndpoint({
  principals,
  tables: new Map(),
  secrets: new Secrets(new Deployment([])),
  dynamoDb: { endpoint: 'http://127.0.0.1:1', accessKeyId: 'unused' },
  userPools: [
    { id: 'pool', arn: POOL_ARN, logicalId: 'Pool', clients: [client], protectedPeople: new Set(['ada']) },
  ],
  mailbox: new Mailbox(directory),
  onDenied: (message) => denials.push(message),
});
afterAll(async () => {
  await endpoint.close();
  rmSync(directory, { recursive: true });
});

function principal(...Statement: object[]): AwsCredentials {
  return principals.register({ arn: 'arn:function', authorise: authoriser([{ Statement }]) });
}
const mayDescribe = principal({
  ...{ Effect: 'Allow', Action: 'cognito-idp:DescribeUserPoolClient', Resource: POOL_ARN },
});
const mayRead = principal({
  ...{ Effect: 'Allow', Action: 'cognito-idp:AdminGetUser', Resource: POOL_ARN },
});
const maySend = principal({
  Effect: 'Allow',
  Action: 'ses:SendEmail',
  Resource: 'arn:aws:ses:eu-west-1:000000000000:identity/example.com',
  Condition: { StringEquals: { 'ses:FromAddress': FROM } },
});

/** Runs `act` as a function with these credentials: the SDK takes all settings from the environment. */
async function asFunction<T>(credentials: AwsCredentials, act: () => Promise<T>): Promise<T> {
  const own = { ...process.env };
  Object.assign(process.env, sdkEnvironment(endpoint.url, credentials));
  try {
    return await act();
  } finally {
    process.env = own;
  }
}

describe('DescribeUserPoolClient', () => {
  const describeClient = (credentials: AwsCredentials, UserPoolId = 'pool', ClientId = 'client') =>
    asFunction(credentials, () =>
      new CognitoIdentityProviderClient().send(new DescribeUserPoolClientCommand({ UserPoolId, ClientId })),
    );

  test("returns the client's secret to a permitted function", async () => {
    const { UserPoolClient } = await describeClient(mayDescribe);
    expect(UserPoolClient).toMatchObject({ ClientId: 'client', ClientSecret: 'a secret' });
  });

  test("is not affected by the machine's AWS profile", async () => {
    const file = join(directory, 'aws-config');
    writeFileSync(file, '[default]\nuse_fips_endpoint = true\n');
    process.env['AWS_CONFIG_FILE'] = file;
    try {
      await expect(describeClient(mayDescribe)).resolves.toBeDefined();
    } finally {
      delete process.env['AWS_CONFIG_FILE'];
      rmSync(file);
    }
  });

  test('is denied to other functions, and for other pools', async () => {
    const denied = { name: 'AccessDeniedException' };
    await expect(describeClient(maySend)).rejects.toMatchObject(denied);
    await expect(describeClient(mayDescribe, 'other')).rejects.toMatchObject(denied);
    expect(denials[0]).toBe(
      `User: arn:function is not authorized to perform: cognito-idp:DescribeUserPoolClient on resource: ${POOL_ARN}`,
    );
  });

  test('fails with ResourceNotFoundException for an unknown client', async () => {
    const unknown = { name: 'ResourceNotFoundException' };
    await expect(describeClient(mayDescribe, 'pool', 'other')).rejects.toMatchObject(unknown);
  });
});

describe('AdminGetUser', () => {
  const factorsOf = async (credentials: AwsCredentials, Username: string) => {
    const request = new AdminGetUserCommand({ UserPoolId: 'pool', Username });
    const user = await asFunction(credentials, () => new CognitoIdentityProviderClient().send(request));
    return user.UserMFASettingList;
  };

  test('returns the second factors of a person, and no list without one', async () => {
    expect(await factorsOf(mayRead, 'ada')).toEqual(['SOFTWARE_TOKEN_MFA']);
    expect(await factorsOf(mayRead, 'bola')).toBeUndefined();
    await expect(factorsOf(mayDescribe, 'ada')).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});

describe('SendEmail', () => {
  const send = (credentials: AwsCredentials, from: string, subject = 'You are invited', html?: string) =>
    asFunction(credentials, () =>
      new SESv2Client().send(
        new SendEmailCommand({
          FromEmailAddress: from,
          Destination: { ToAddresses: ['ada@example.com'] },
          Content: {
            Simple: {
              Subject: { Data: subject },
              Body: {
                Text: { Data: 'Naira: ₦\nhttp://127.0.0.1:3001/invitation' },
                ...(html && { Html: { Data: html } }),
              },
            },
          },
        }),
      ),
    );
  const mails = () =>
    readdirSync(directory)
      .sort()
      .map((file) => readFileSync(join(directory, file), 'utf8'));

  test('writes each email to a file, the newest last', async () => {
    const { MessageId } = await send(maySend, `Console <${FROM}>`);
    await send(maySend, FROM, 'Second\r\nBcc: attacker@example.com');
    const [first, second, ...rest] = mails();
    expect(first).toContain(`From: Console <${FROM}>\nTo: ada@example.com\nSubject: You are invited\n`);
    expect(first).toContain(
      `Message-ID: <${MessageId}@localhost>\n\nNaira: ₦\nhttp://127.0.0.1:3001/invitation\n`,
    );
    expect(second).toContain('Subject: Second Bcc: attacker@example.com\n');
    expect(rest).toEqual([]);
  });

  test('is denied to other functions, and for other sender addresses', async () => {
    const before = mails();
    const denied = { name: 'AccessDeniedException' };
    await expect(send(maySend, 'other@example.com')).rejects.toMatchObject(denied);
    await expect(send(maySend, `${FROM} <other@example.com>`)).rejects.toMatchObject(denied);
    await expect(send(mayDescribe, FROM)).rejects.toMatchObject(denied);
    expect(mails()).toEqual(before);
  });

  test('rejects emails that the runtime does not support', async () => {
    await expect(send(maySend, FROM, 'Subject', '<p>')).rejects.toMatchObject({
      name: 'BadRequestException',
      message: expect.stringContaining('Html'),
    });
  });
});
