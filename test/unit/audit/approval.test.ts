import { expect, test } from '@jest/globals';
import { approvalProblem, newApprovalRequest } from '../../../shared/audit/approval.ts';

/** Whether an identity may approve a request: only if it belongs to another person. */

const NOW_MS = Date.parse('2026-11-29T12:00:00Z');
const IAM = 'arn:aws:iam::111122223333';
const STS = 'arn:aws:sts::111122223333:assumed-role';

test.each([
  [`${IAM}:user/ada`, false],
  [`${IAM}:user/team/Ada`, false],
  [`${STS}/identity-prod-finance/ada`, false],
  [`${STS}/AWSReservedSSO_finance_0123/ada@example.com`, false],
  [`${STS}/identity-prod-finance/bola`, true],
  [`${STS}/AWSReservedSSO_finance_0123/bola@example.com`, true],
])('a request of %s can be approved by another person: %s', (identity, may) => {
  for (const requestedBy of [`${IAM}:user/ada`, `${STS}/AWSReservedSSO_finance_0123/Ada@example.com`]) {
    const wanted = { id: '01', action: 'wallet correct', requestedBy, order: {} };
    const problem = approvalProblem(newApprovalRequest(wanted, NOW_MS), undefined, identity, NOW_MS);
    expect(problem === undefined).toBe(may);
  }
});
