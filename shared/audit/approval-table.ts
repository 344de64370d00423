import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ABSENT, put, where } from '../core/expressions.ts';
import { APPROVALS_PK, approvalKey, approvalRequestKey } from '../core/keys.ts';
import {
  type Approval,
  type ApprovalRequest,
  approval,
  approvalKeptUntil,
  approvalRequest,
  requestKeptUntil,
} from './approval.ts';
import { applyRecorded, newestFirst, type TransactItem } from './audit-table.ts';

/** A request, and its approval if there is one. */
interface StoredRequest {
  readonly request: ApprovalRequest;
  readonly approval: Approval | undefined;
}

/** Requests in Approvals: `APPROVALS` / `REQUEST#<id>`, and their approvals: `APPROVALS` / `APPROVED#<id>`. */
export type ApprovalTable = ReturnType<typeof approvalTable>;

export function approvalTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Stores a request in one transaction with its record. */
    async insertRequest(request: ApprovalRequest, record: readonly TransactItem[]) {
      const row = { ...approvalRequestKey(request.id), ...request, expiresAt: requestKeptUntil(request) };
      if (!(await applyRecorded(client, [put(tableName, row, ABSENT)], record)))
        throw new Error('The generated ID already exists. Run the command again.');
    },
    /** Returns all requests that are still stored, newest first. */
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
    /**
     * Returns the write that adds an approval. It belongs in the transaction of the change. Its condition lets only one
     * run of a command use the request. That run may repeat the transaction if its response was lost.
     */
    approvalItem: (row: Approval): TransactItem =>
      put(
        tableName,
        { ...approvalKey(row.id), ...row, expiresAt: approvalKeptUntil(row) },
        where`attribute_not_exists(pk) OR commandId = ${row.commandId}`,
      ),
  };
}
