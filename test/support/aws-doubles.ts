import { createServer } from 'node:http';
import { type Listening, listen } from '../../infra/local/http-server.ts';

/** Test doubles for AWS services that the `admin` CLI calls. */

export type AwsDouble = Listening;

export interface Reply {
  readonly status?: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parts of a request on which a double's response depends. */
export interface AwsRequest {
  readonly body: string;
  /**
   * The name of the operation, for example `DescribeStacks`. Empty if the protocol identifies the operation by its
   * path.
   */
  readonly operation: string;
  readonly accessKeyId: string;
  /** The region and service in the signature, for example `eu-west-1/sts`. */
  readonly scope: string;
  readonly path: string;
}

/** Starts a server that responds to each request with what `respond` returns. */
export async function startAwsDouble(respond: (request: AwsRequest) => Reply): Promise<AwsDouble> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.once('end', () => {
      const [, accessKeyId = '', scope = ''] =
        /Credential=([^/]+)\/\d+\/([^/]+\/[^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
      const [, target = ''] = /\.(\w+)$/.exec(String(request.headers['x-amz-target'] ?? '')) ?? [];
      const operation = target || (new URLSearchParams(body).get('Action') ?? '');
      const path = new URL(request.url ?? '/', 'http://aws').pathname;
      const reply = respond({ body, operation, accessKeyId, scope, path });
      response.writeHead(reply.status ?? 200, { 'Content-Type': reply.type, ...reply.headers });
      response.end(reply.body);
    });
  });
  return listen(server);
}

/** Starts a test double for STS. `arnOf` returns the ARN of the user or role session with an access key ID. */
export function startSts(arnOf: (accessKeyId: string) => string): Promise<AwsDouble> {
  return startAwsDouble(({ accessKeyId }) => ({
    type: 'text/xml',
    body: callerIdentity(arnOf(accessKeyId)),
  }));
}

/** Returns the response of GetCallerIdentity, as AWS documents it. */
function callerIdentity(arn: string): string {
  const [, account = ''] = /::(\d{12}):/.exec(arn) ?? [];
  return `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>${arn}</Arn><UserId>AIDACKCEVSQ6C2EXAMPLE</UserId><Account>${account}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId></ResponseMetadata></GetCallerIdentityResponse>`;
}

export function startSecrets(value: Readonly<Record<string, string>>): Promise<AwsDouble> {
  return startAwsDouble(() => ({
    type: 'application/x-amz-json-1.1',
    body: JSON.stringify({ SecretString: JSON.stringify(value) }),
  }));
}

/** Starts a test double for CloudFormation that describes these stacks by their outputs, in the AWS Query protocol. */
export function startCloudFormation(
  stacks: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<AwsDouble> {
  return startAwsDouble(({ body }) => {
    const requested = new URLSearchParams(body).get('StackName') ?? '';
    const type = 'text/xml';
    const outputs = stacks[requested];
    return outputs
      ? { type, body: stackDescription(requested, outputs) }
      : { status: 400, type, body: missing(requested) };
  });
}

/** Returns the response of DescribeStacks, as AWS documents it. */
export function stackDescription(stackName: string, outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackName>${stackName}</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></DescribeStacksResponse>`;
}

function missing(stackName: string): string {
  return `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${stackName} does not exist</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
}
