/** An answer of an AWS service that speaks JSON. */
export interface AwsResponse {
  readonly status: number;
  readonly content: unknown;
}

/** An error as AWS writes it; `type` is the name by which SDKs know it. */
export function refusal(type: string, message: string, status = 400): AwsResponse {
  return { status, content: { __type: `com.amazonaws.local#${type}`, Message: message, message } };
}
