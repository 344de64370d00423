/**
 * Replaces the AWS SDK's chain of credential providers (`@aws-sdk/credential-provider-node`) in the bundles. Lambda
 * needs only the variables that it sets itself. Saves 130 KB and 6 to 10 ms of each cold start.
 */
export function defaultProvider() {
  return async () => {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    } = process.env;
    if (!accessKeyId || !secretAccessKey) throw new Error('AWS credentials are missing.');
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  };
}
