import type { Stack } from '@aws-sdk/client-cloudformation';
import type { StageConfig } from '../../../infra/config.ts';
import type { Dns } from './dns.ts';

export interface DeployedTable {
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly KeySchema: unknown;
    readonly Projection: unknown;
  }[];
}

/** The part of a template with tables that the preflight reads. */
export interface TableTemplate {
  readonly Resources?: Readonly<Record<string, { readonly Properties?: DeployedTable }>>;
}

export type StackPart =
  | 'data'
  | 'webhooks'
  | 'api-functions'
  | 'api'
  | 'console'
  | 'operators'
  | 'operations'
  | 'access'
  | 'delivery';

/** The stacks of the stage. Each is read at most once. */
export interface Stacks {
  nameOf(part: StackPart): string;
  /** Describes a stack. Undefined if it does not exist. Throws a `CallError` if the call fails. */
  describe(part: StackPart): Promise<Stack | undefined>;
  /** Returns the outputs of a stack. Undefined if it does not exist. Throws a `CallError` if the call fails. */
  outputs(part: StackPart): Promise<Readonly<Record<string, string | undefined>> | undefined>;
}

export interface World {
  readonly config: StageConfig;
  /** The account and region of the stage, which are also the account and region of the credentials. */
  readonly account: string;
  readonly region: string;
  readonly stacks: Stacks;
  readonly dns: Dns;
  readonly tables: () => Promise<TableTemplate>;
  readonly nowMs: number;
  readonly requestQuota: boolean;
  readonly deleteOrphans: boolean;
}
