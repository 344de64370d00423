/**
 * What only a real account can show, as one table. The commands run in a shell, and read the variables that the program
 * or an earlier check has set: STAGE, ACCOUNT, REGION, URL, ADMIN, CDK, TODAY, EARLIER and those in `saves`.
 */
export interface FirstRunCheck {
  readonly name: string;
  /** What is true if it passes. */
  readonly shows: string;
  /** A command. It must succeed, and its output must match `passes`. */
  readonly command?: string;
  readonly passes?: RegExp;
  /** Variables for later checks, from the first group in the output. */
  readonly saves?: Readonly<Record<string, RegExp>>;
  /** What a person does and sees, after the command. */
  readonly ask?: string;
  /** Variables without which it cannot run. */
  readonly needs?: readonly string[];
  /** What it uses that no emulator and no local service have. */
  readonly onlyOnAws?: string;
}

const OUTPUT = (stack: string, key: string) =>
  `$(aws cloudformation describe-stacks --stack-name identity-$STAGE-${stack} --query "Stacks[0].Outputs[?OutputKey=='${key}'].OutputValue" --output text)`;
const DECISION = (role: string, action: string) =>
  `aws iam simulate-principal-policy --policy-source-arn arn:aws:iam::$ACCOUNT:role/identity-$STAGE-${role} --action-names ${action} --query 'EvaluationResults[].EvalDecision' --output text`;

/** In the order in which they run. */
export const FIRST_RUN_CHECKS: readonly FirstRunCheck[] = [
  {
    name: 'preflight',
    shows: 'The account is prepared, and DNS, certificates, quotas and credentials are right.',
    command: 'npm run -s preflight -- --stage $STAGE',
    onlyOnAws: 'quotas, certificates and DNS',
  },
  {
    name: 'deploy',
    shows: 'All stacks are created or updated.',
    command: '$CDK deploy --all --require-approval never',
  },
  {
    name: 'deploy again',
    shows: 'The same sources change nothing.',
    command: '$CDK deploy --all --require-approval never',
    passes: /\(no changes\)/,
  },
  {
    name: 'protection',
    shows: 'The data stack cannot be deleted by mistake.',
    command: `aws cloudformation describe-stacks --stack-name identity-$STAGE-data --query 'Stacks[0].EnableTerminationProtection'`,
    passes: /true/i,
  },
  {
    name: 'organisation',
    shows: 'The operator API accepts a signed request, and its function writes the tables.',
    command: '$ADMIN org create "First real run"',
    passes: /"id"/,
    saves: { ORG: /"id": ?"(\w+)"/ },
  },
  {
    name: 'test key',
    shows: 'The function may write the key, and nothing else.',
    command: '$ADMIN key create $ORG --env test --label first-run',
    saves: { SMOKE_API_KEY: /(idv_test_\w+)/ },
    needs: ['ORG'],
  },
  {
    name: 'transaction',
    shows: 'IAM accepts all keys that one transaction writes (dynamodb:LeadingKeys, ConditionCheckItem).',
    command: '$ADMIN wallet top-up $ORG 100 --env test --reference first-run-$ORG --yes',
    needs: ['ORG'],
  },
  {
    name: 'smoke test',
    shows: 'API Gateway, functions and sandbox return the documented responses, and charge once.',
    command: 'npm run -s smoke -- --url $URL',
    passes: /(\d+) of \1 checks passed/,
    needs: ['SMOKE_API_KEY', 'URL'],
  },
  {
    name: 'body of 5 MB',
    shows: 'A body that exceeds Lambda’s limit in base64 is rejected with 413, not with 5xx.',
    command: `head -c 5242880 /dev/zero | curl -s -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' --data-binary @- $URL/api/v1/ng/nin-basic/`,
    passes: /^413$/,
    needs: ['URL'],
    onlyOnAws: 'the limits of API Gateway and Lambda',
  },
  {
    name: 'IPv6',
    shows: 'The domain has no IPv6 address, as the rejection of keys with IPv6 ranges assumes.',
    command: 'curl -6 -sS -o /dev/null $URL/api/v1/health/ 2>&1 || true',
    passes: /resolve/,
    needs: ['URL'],
    onlyOnAws: 'the domain',
  },
  {
    name: 'audit trail',
    shows: 'The change above is in the audit trail, with its operator.',
    command: '$ADMIN audit --from $TODAY | grep "$ORG"',
    needs: ['ORG'],
  },
  {
    name: 'archive',
    shows: 'The stream copies the audit trail into the locked bucket.',
    command: `aws s3api list-objects-v2 --bucket ${OUTPUT('data', 'AuditArchiveBucket')} --prefix audit/ --max-items 1`,
    passes: /"Key"/,
    onlyOnAws: 'a DynamoDB stream that starts a function',
  },
  {
    name: 'IAM denies',
    shows: 'A role that may only read may not write a table.',
    command: `${DECISION('read-only', 'dynamodb:PutItem dynamodb:DeleteItem')} | grep -v allowed`,
    passes: /Deny/,
    onlyOnAws: 'IAM',
  },
  {
    name: 'IAM permits a stop',
    shows: 'An engineer may stop a rollout (codedeploy:StopDeployment knows no resource).',
    command: DECISION('engineer', 'codedeploy:StopDeployment'),
    passes: /allowed/,
    onlyOnAws: 'IAM',
  },
  {
    name: 'alarm',
    shows: 'An alarm fires, its topic accepts the message, and someone receives it.',
    command:
      'aws cloudwatch set-alarm-state --alarm-name identity-$STAGE-faults --state-value ALARM --state-reason "first real run" && sleep 30 && aws cloudwatch describe-alarm-history --alarm-name identity-$STAGE-faults --history-item-type Action --max-records 1',
    passes: /Successfully executed/,
    ask: 'Which email arrived, at which address?',
    onlyOnAws: 'alarms and their emails',
  },
  {
    name: 'provider',
    shows: 'The provider returns its test persons, in the form that our samples have.',
    command: '$ADMIN registry test $PROVIDER $ID_TYPE --reason "first real run"',
    needs: ['PROVIDER', 'ID_TYPE'],
    onlyOnAws: 'a provider and its credentials',
  },
  {
    name: 'failed first deployment',
    shows: 'What a failed data stack leaves is found, and deleted if it is empty.',
    ask: 'On a stage that was never deployed, take the name of the last table away from CloudFormation (create it by hand), deploy, then run the preflight with --delete-orphans. What remained, and did the next deployment work?',
    onlyOnAws: 'the rollback of CloudFormation',
  },
  {
    name: 'canary',
    shows: 'CodeDeploy shifted the traffic of the last change in steps. Deploy a change first.',
    command:
      'aws deploy get-deployment --deployment-id $(aws deploy list-deployments --application-name identity-$STAGE-api --deployment-group-name $(aws deploy list-deployment-groups --application-name identity-$STAGE-api --query "deploymentGroups[0]" --output text) --include-only-statuses Succeeded --query "deployments[0]" --output text) --query "deploymentInfo.[deploymentConfigName,status]" --output text',
    passes: /(Canary|Linear)\S*\s+Succeeded/,
    onlyOnAws: 'CodeDeploy',
  },
  {
    name: 'mail',
    shows:
      'SES accepts the email of an invitation (its identity, configuration set and, in the sandbox, recipient).',
    command: '$ADMIN member invite $ORG $EMAIL --role owner',
    ask: 'Did the invitation arrive? Open it, and sign up with a second factor.',
    needs: ['ORG', 'EMAIL'],
    onlyOnAws: 'SES and Cognito',
  },
  {
    name: 'webhook',
    shows:
      'An endpoint on the internet receives a signed event, and one with IPv6 addresses only is refused.',
    ask: 'In the console, add an endpoint and send a test. What did it receive? Then add one that has AAAA records only.',
    needs: ['EMAIL'],
    onlyOnAws: 'the internet',
  },
  {
    name: 'payment',
    shows: 'A payment in Paystack’s test mode adds credits, once.',
    ask: 'In the console, top up with Paystack’s test card. Which reference and how many credits does the statement show?',
    needs: ['EMAIL'],
    onlyOnAws: 'Paystack',
  },
  {
    name: 'reconciliation',
    shows: 'The rows of this run agree.',
    command: '$ADMIN reconcile',
  },
  {
    name: 'restore',
    shows: 'The tables can be restored to six minutes ago, and the restored rows agree.',
    command: 'npm run -s restore -- --stage $STAGE --to $EARLIER',
    passes: / 0 differences/,
  },
  {
    name: 'copies',
    shows: 'Every table was copied to the other account.',
    command: `aws backup list-copy-jobs --by-state COMPLETED --by-resource-type DynamoDB --query 'length(CopyJobs)'`,
    passes: /^([7-9]|\d\d+)$/m,
    ask: 'Restore them: docs/operate/restore-other-account.md. How long did it take, and what differed?',
    onlyOnAws: 'AWS Backup and a second account',
  },
];
