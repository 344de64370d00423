/** The response of an AWS service with a JSON protocol. */
export interface AwsResponse {
  readonly status: number;
  readonly content: unknown;
}

/** Returns an error in AWS's format. SDKs recognise an error by its `type`. */
export function awsError(type: string, message: string, status = 400): AwsResponse {
  return { status, content: { __type: `com.amazonaws.local#${type}`, Message: message, message } };
}

/** Records that a principal's policies deny a request and returns the error for it. */
export type Deny = (action: string, resource: string) => AwsResponse;
