import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ABSENT, put, where } from '../core/expressions.ts';
import { APPROVALS_PK, approvalKey, approvalRequestKey } from '../core/keys.ts';
import { notPossible } from '../core/not-possible.ts';
import {
  type Approval,
  type ApprovalRequest,
  approval,
  approvalKeptUntil,
  approvalRequest,
  requestKeptUntil,
} from './approval.ts';
import { applyRecorded, newestFirst, type TransactItem } from './audit-table.ts';

interface StoredRequest {
  readonly request: ApprovalRequest;
  readonly approval: Approval | undefined;
}

/** `APPROVALS` / `REQUEST#<id>` and `APPROVED#<id>`. */
export type ApprovalTable = ReturnType<typeof approvalTable>;

export function approvalTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    async insertRequest(request: ApprovalRequest, record: readonly TransactItem[]) {
      const row = { ...approvalRequestKey(request.id), ...request, expiresAt: requestKeptUntil(request) };
      if (!(await applyRecorded(client, [put(tableName, row, ABSENT)], record)))
        throw notPossible('The generated ID already exists. Run the command again.');
    },
    /** Newest first. */
    async listRequests(): Promise<StoredRequest[]> {
      const rows = await newestFirst(client, tableName, APPROVALS_PK);
      const approvals = rows.flatMap((row) => ('approvedBy' in row ? v.parse(approval, row) : []));
      return rows
        .filter((row) => 'requestedBy' in row)
        .map((row) => {
          const request = v.parse(approvalRequest, row);
          return { request, approval: approvals.find(({ id }) => id === request.id) };
        });
    },
    /** For the transaction of the change. Only one run can use a request, and may repeat its transaction. */
    approvalItem: (row: Approval): TransactItem =>
      put(
        tableName,
        { ...approvalKey(row.id), ...row, expiresAt: approvalKeptUntil(row) },
        where`attribute_not_exists(pk) OR commandId = ${row.commandId}`,
      ),
  };
}
