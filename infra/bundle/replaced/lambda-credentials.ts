/**
 * Replaces the AWS SDK's chain of credential providers (`@aws-sdk/credential-provider-node`) in the bundles. Functions
 * need only the variables that Lambda sets. Saves 6 to 10 ms of each cold start.
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
