import type { InitializeMiddleware, MetadataBearer, Pluggable } from '@smithy/types';
import { rememberFailedCall } from './failed-call.ts';
import { beginSubsegment, type SubsegmentEnd } from './trace.ts';

/** The names of DynamoDB's throttling errors; their status is 400. */
export const THROTTLED: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);

/** Traces each call of an AWS client as one subsegment, which includes its retries, and remembers what failed. */
export function traceCalls<Input extends object, Output extends MetadataBearer>(
  service: string,
): Pluggable<Input, Output> {
  const middleware: InitializeMiddleware<Input, Output> =
    (next, { commandName = '' }) =>
    async (args) => {
      const end = beginSubsegment(service);
      const operation = commandName.replace(/Command$/, '');
      const tables = tablesOf(args.input);
      try {
        const result = await next(args);
        void end?.(endOf(result.output, operation, tables));
        return result;
      } catch (error) {
        const retries = retriesOf(error);
        rememberFailedCall(error, { service, operation, tables, retries, at: new Error(service) });
        void end?.({ ...endOf(error, operation, tables), ...errorOf(error) });
        throw error;
      }
    };
  return { applyToStack: (stack) => stack.add(middleware, { step: 'initialize', name: 'trace' }) };
}

function retriesOf(response: unknown): number {
  const { $metadata: { attempts = 1 } = {} } = response as Partial<MetadataBearer>;
  return attempts - 1;
}

function endOf(response: unknown, operation: string, tables: readonly string[]): SubsegmentEnd {
  const { $metadata: { httpStatusCode, requestId } = {} } = response as Partial<MetadataBearer>;
  const request = { ...(requestId && { request_id: requestId }), retries: retriesOf(response) };
  const aws = { operation, ...shown(tables), ...request };
  return { status: httpStatusCode, fields: { namespace: 'aws', aws } };
}

function errorOf(error: unknown): Pick<SubsegmentEnd, 'errorName' | 'isThrottled'> {
  const name = error instanceof Error ? error.name : typeof error;
  return { errorName: name, isThrottled: THROTTLED.has(name) };
}

/** Returns the names of the tables that a DynamoDB call uses, without any keys. */
function tablesOf(input: TableInput): string[] {
  const { TableName = '', RequestItems = {}, TransactItems = [] } = input;
  const named = TransactItems.flatMap((item) => Object.values(item).map((part) => part.TableName ?? ''));
  return [...new Set([TableName, ...Object.keys(RequestItems), ...named])].filter(Boolean);
}

/** As X-Ray names them. */
function shown(tables: readonly string[]): object {
  if (tables.length > 1) return { resource_names: tables };
  return tables.length === 1 ? { table_name: tables[0] } : {};
}

interface TableInput {
  readonly TableName?: string;
  readonly RequestItems?: object;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName?: string }>>[];
}
