import { Argument, type Command } from 'commander';
import { approvalTable } from '../../../shared/audit/approval-table.ts';
import { auditTable } from '../../../shared/audit/audit-table.ts';
import { approvingRecorder } from '../../../shared/audit/recorder.ts';
import { cancellationCodes } from '../../../shared/core/database.ts';
import { type ChangeContext, changeContext, commandContext } from '../command-context.ts';
import { type OpenRequest, targetOf } from '../operations/approvals.ts';
import { type Operator, operator } from '../operator.ts';
import { counted, table, time } from '../output.ts';
import { creditText, creditView } from './credit-text.ts';
import { erasedText, progressOf } from './erasure-text.ts';

/** Adds `approvals` and `approve`: changes that need a second person. */
export function approvalCommands(program: Command): void {
  program
    .command('approvals')
    .description('List the changes that wait for a second person, newest first')
    .action(async (_: object, command: Command) => {
      const context = await commandContext(command);
      const named = await withNames(await context.operator.openRequests(), context.operator);
      context.print(named.map(requestView), requestsText(named));
    });
  program
    .command('approve')
    .description('Make a change that another person requested')
    .addArgument(new Argument('<id>', 'ID of the request, as printed by `approvals`'))
    .action(async (id: string, _: object, command: Command) => {
      const context = await changeContext(command);
      const request = await context.operator.requestToApprove(id, context.actor);
      const { name } = await context.operator.getOrganisation(request.organisationId);
      await context.confirm(questionOf(request, name));
      try {
        await makeChange(request, context);
      } catch (error) {
        // The approval is the last item of its transaction (`approvingRecorder`).
        if (cancellationCodes(error)?.at(-1) !== 'ConditionalCheckFailed') throw error;
        throw new Error(
          'Another run of `admin approve` has already approved this request. This run changed nothing. ' +
            '`admin approvals` lists the open requests.',
        );
      }
    });
}

/** A request with the name of its organisation, so that the approver sees whose wallet or log changes. */
interface NamedRequest extends OpenRequest {
  readonly organisationName: string;
}

async function withNames(
  requests: readonly OpenRequest[],
  { getOrganisation }: Operator,
): Promise<NamedRequest[]> {
  const ids = [...new Set(requests.map(({ organisationId }) => organisationId))];
  const organisations = await Promise.all(ids.map(getOrganisation));
  const names = new Map(organisations.map(({ id, name }) => [id, name]));
  return requests.map((request) => ({
    ...request,
    organisationName: names.get(request.organisationId) ?? '',
  }));
}

const KINDS = { TOP_UP: 'top-up', CORRECTION: 'correction' } as const;

function requestsText(requests: readonly NamedRequest[]): string {
  const head = ['ID', 'REQUESTED BY', 'ORG', 'NAME', 'ENV', 'KIND', 'CREDITS', 'ON', 'EXPIRES', 'REASON'];
  const lines = requests.map(({ order, ...request }) => [
    request.id,
    request.requestedBy,
    request.organisationId,
    request.organisationName,
    request.env,
    order.work === 'credit' ? KINDS[order.kind] : order.work,
    order.work === 'credit' ? order.amount : '',
    targetOf(order),
    time(new Date(request.expiresAtMs).toISOString()),
    order.work === 'credit' ? order.reason : '',
  ]);
  return table(head, lines);
}

/** Returns a request as JSON output shows it: without number tags. */
function requestView({ order, expiresAtMs, ...request }: NamedRequest) {
  const what = order.work === 'credit' ? order : { work: order.work, idType: order.idType };
  return { ...request, expiresAt: new Date(expiresAtMs).toISOString(), order: what };
}

function questionOf({ order, requestedBy, organisationId, env }: OpenRequest, name: string): string {
  const organisation = `${name} (${organisationId})`;
  const asked = `as ${requestedBy} requested`;
  if (order.work === 'erasure')
    return `Erase the log rows about one ${order.idType} from the ${env} log of ${organisation}, ${asked}?`;
  const credits = counted(Math.abs(order.amount), `${env} credit`);
  const change = order.amount < 0 ? `Remove ${credits} from` : `Add ${credits} to`;
  const { effectiveAt, reason } = order;
  return [
    `${change} ${organisation} with the reference ${order.reference}, ${asked}?`,
    ...(effectiveAt ? [`Effective at ${time(effectiveAt)}.`] : []),
    // Last, so that its text cannot look like one of the other facts.
    ...(reason ? [`Reason: ${reason}`] : []),
  ].join(' ');
}

/** Makes the change. Its transaction also puts the approval, so that the request is used once. */
async function makeChange(request: OpenRequest, context: ChangeContext): Promise<void> {
  const { deployment, tools, run, print, notify, actor: approvedBy } = context;
  const { client, tables } = deployment;
  const recorder = approvingRecorder(
    auditTable(client, tables.auditTrail),
    approvalTable(client, tables.auditTrail),
    request,
    run,
    tools.nowMs,
  );
  const approving = operator(deployment, { recorder, tools });
  const { order, organisationId, env, requestedBy } = request;
  const wallet = { env, organisationId };
  const people = { requestedBy, approvedBy };
  if (order.work === 'credit') {
    const { kind, work: _, ...credit } = order;
    const book = kind === 'TOP_UP' ? approving.topUp : approving.correct;
    const result = await book(wallet, { ...credit, actor: requestedBy });
    const view = { ...creditView(organisationId, env, result), ...(!result.existed && people) };
    print(view, creditText(organisationId, env, result, people));
    return;
  }
  const { erased } = await approving.eraseTags(wallet, order.idType, order.numberTags, (step) =>
    notify(progressOf(step)),
  );
  print(
    { organisation: organisationId, env, idType: order.idType, erased, ...people },
    erasedText(erased, people),
  );
}
