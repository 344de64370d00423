import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { s3Bucket } from '../core/bucket.ts';
import { setting } from '../core/config.ts';
import { trailArchive } from './archive.ts';

/** Opens the archive of this stage, with the credentials of a function. */
export function stageArchive(client: DynamoDBDocumentClient) {
  const endpoint = setting('AWS_ENDPOINT_URL_S3') ?? `https://s3.${setting('AWS_REGION')}.amazonaws.com`;
  return trailArchive(
    s3Bucket({ name: setting('ARCHIVE_BUCKET'), endpoint, owner: setting('ARCHIVE_ACCOUNT') }, client),
  );
}
