import type { InitializeMiddleware, MetadataBearer, Pluggable } from '@smithy/types';
import { beginSubsegment, type SubsegmentEnd } from './trace.ts';

/** The names of DynamoDB's throttling errors; their status is 400. */
export const THROTTLED: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);

/** Traces each call of an AWS client as one subsegment, which includes its retries. */
export function traceCalls<Input extends object, Output extends MetadataBearer>(
  service: string,
): Pluggable<Input, Output> {
  const middleware: InitializeMiddleware<Input, Output> =
    (next, { commandName = '' }) =>
    async (args) => {
      const end = beginSubsegment(service);
      if (!end) return next(args);
      const operation = { operation: commandName.replace(/Command$/, ''), ...tablesOf(args.input) };
      try {
        const result = await next(args);
        void end(endOf(result.output, operation));
        return result;
      } catch (error) {
        void end({ ...endOf(error, operation), ...errorOf(error) });
        throw error;
      }
    };
  return { applyToStack: (stack) => stack.add(middleware, { step: 'initialize', name: 'trace' }) };
}

function endOf(response: unknown, operation: object): SubsegmentEnd {
  const { $metadata = {} } = response as Partial<MetadataBearer>;
  const { httpStatusCode, requestId, attempts = 1 } = $metadata;
  const aws = { ...operation, ...(requestId && { request_id: requestId }), retries: attempts - 1 };
  return { status: httpStatusCode, fields: { namespace: 'aws', aws } };
}

function errorOf(error: unknown): Pick<SubsegmentEnd, 'errorName' | 'isThrottled'> {
  const name = error instanceof Error ? error.name : typeof error;
  return { errorName: name, isThrottled: THROTTLED.has(name) };
}

/** Returns the names of the tables that a DynamoDB call uses, without any keys. */
function tablesOf(input: TableInput): object {
  const { TableName, RequestItems = {}, TransactItems = [] } = input;
  const named = TransactItems.flatMap((item) => Object.values(item).map((part) => part.TableName));
  const tables = [...new Set([TableName, ...Object.keys(RequestItems), ...named])].filter(Boolean);
  if (tables.length > 1) return { resource_names: tables };
  return tables.length === 1 ? { table_name: tables[0] } : {};
}

interface TableInput {
  readonly TableName?: string;
  readonly RequestItems?: object;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName?: string }>>[];
}
