import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { WithdrawSlipBody } from '../../../../shared/slips/console/bodies.ts';
import type { RequestDetailView } from '../../../../shared/verifications/console/views.ts';
import { send } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { Data } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { ALL_CODES, ERRORS, RETRIES } from '../documentation.ts';
import { formatNumber } from '../format.ts';
import { useData } from '../loaded-data.ts';
import { monthName } from '../months.ts';
import { pageIn } from '../page-address.ts';
import { OutcomeBadge } from '../requests/outcome-badge.tsx';
import { documentationUrl, may, mayManage } from '../session.ts';
import { sharedTexts } from '../shared-texts.ts';
import { SameRequest } from './same-request.tsx';
import { Timings } from './timings.tsx';

const NOT_FOUND = {
  live: 'There is no live request with this ID.',
  test: 'There is no test request with this ID.',
};

const LINK_LABELS = { live: 'Look for it in Live', test: 'Look for it in Test' };

interface RequestDialogProps {
  readonly id: string;
  readonly env: Environment;
  readonly onClose: () => void;
}

export function RequestDialog({ id, env, onClose }: RequestDialogProps) {
  const data = useData<RequestDetailView>(`/requests/${encodeURIComponent(id)}?env=${env}`);
  const { state } = data;
  const isMissing = state.value.is === 'failed' && state.value.problem.code === 'RESOURCE_NOT_FOUND';
  const other = env === 'test' ? 'live' : 'test';
  const [withdrawal, setWithdrawal] = useState<'open' | 'done'>();
  const request = state.value.is === 'loaded' ? state.value.value : undefined;
  if (withdrawal === 'open')
    return (
      <WithdrawSlipDialog
        id={id}
        reference={request?.kind === 'request' ? request.reference : null}
        env={env}
        onWithdrawn={() => {
          setWithdrawal('done');
          data.reload();
        }}
        onClose={() => setWithdrawal(undefined)}
      />
    );
  const mayWithdraw =
    request?.kind === 'request' && isSlip(request) && !request.is_slip_withdrawn && mayManage(env);
  return (
    <Dialog title="Request" onClose={onClose}>
      {withdrawal === 'done' && (
        <Notice kind="success">
          <p>The slip of request {id} was withdrawn. The page of its QR code says so from now on.</p>
        </Notice>
      )}
      <p class="copied-id">
        <code>{id}</code>
        <CopyButton text={id} about="Request ID" />
      </p>
      {isMissing ? (
        <Notice kind="error">
          <p>{NOT_FOUND[env]}</p>
          <p>
            Requests that were rejected immediately are kept only as examples in the list of rejected
            requests, for 7 days. Those from the playground are not kept.
          </p>
        </Notice>
      ) : (
        <Data data={data}>{(request) => <Detail request={request} env={env} />}</Data>
      )}
      <div class="buttons">
        <Button onClick={onClose}>{sharedTexts.close}</Button>
        {mayWithdraw && withdrawal === undefined && (
          <Button kind="removal" onClick={() => setWithdrawal('open')}>
            Withdraw this slip
          </Button>
        )}
        {isMissing && <ButtonLink href={pageIn(other, '/requests', { id })}>{LINK_LABELS[other]}</ButtonLink>}
      </div>
    </Dialog>
  );
}

const isSlip = ({ service, outcome }: OfKind<'request'>) => service === 'nin-slip' && outcome === 'FOUND';

interface WithdrawSlipDialogProps {
  readonly id: string;
  readonly reference: string | null;
  readonly env: Environment;
  readonly onWithdrawn: () => void;
  readonly onClose: () => void;
}

function WithdrawSlipDialog({ id, reference, env, onWithdrawn, onClose }: WithdrawSlipDialogProps) {
  const body: WithdrawSlipBody = { env };
  return (
    <ConfirmDialog
      title="Withdraw this slip?"
      action="Withdraw slip"
      needsRecentSignIn
      name={`withdraw-slip-${id}`}
      subject={{}}
      run={() => send('POST', `/requests/${id}/withdraw`, body)}
      onDone={onWithdrawn}
      onClose={onClose}
    >
      <p>
        The slip of request <code>{id}</code>
        {reference !== null && `, with your reference ${reference}`}.
      </p>
      <p>
        The page that its QR code opens will say that the slip was withdrawn. This cannot be undone. Other
        slips for the same person stay valid, including those of other organisations.
      </p>
    </ConfirmDialog>
  );
}

function Detail({ request, env }: { readonly request: RequestDetailView; readonly env: Environment }) {
  const { meaning, charge, retry } = request;
  return (
    <>
      <p class="badges">{request.kind === 'request' ? <Result {...request} /> : <Rejected {...request} />}</p>
      <dl class="facts explained">
        <Fact name="What happened">{meaning}</Fact>
        <Fact name="Was it charged?">{charge}</Fact>
        <Fact name="Does a retry help?">
          {retry.text}
          {retry.helps !== 'no' && (
            <>
              {' '}
              <a href={documentationUrl(RETRIES)}>When to retry</a>
            </>
          )}
        </Fact>
      </dl>
      <dl class="facts two-columns">
        {request.kind === 'request' ? (
          <RequestFacts request={request} env={env} />
        ) : (
          <RejectedFacts request={request} />
        )}
      </dl>
      {request.kind === 'request' && request.timings && (
        <Timings timings={request.timings} latencyMs={request.latency_ms} />
      )}
      {request.kind === 'request' && <SameRequest request={request} />}
    </>
  );
}

type OfKind<K extends RequestDetailView['kind']> = Extract<RequestDetailView, { kind: K }>;

function Result({ outcome, credits_charged, is_slip_withdrawn }: OfKind<'request'>) {
  return (
    <>
      <OutcomeBadge outcome={outcome} />{' '}
      <Badge>
        {credits_charged > 0
          ? `${formatNumber(credits_charged)} ${credits_charged === 1 ? 'credit' : 'credits'} charged`
          : 'Not charged'}
      </Badge>{' '}
      {is_slip_withdrawn && <Badge kind="warning">Slip withdrawn</Badge>}
    </>
  );
}

function Rejected({ http_status, code }: OfKind<'rejected'>) {
  return (
    <>
      <Badge kind="warning">{`${http_status} ${code}`}</Badge> <Badge>Not charged</Badge>
    </>
  );
}

interface RequestFactsProps {
  readonly request: OfKind<'request'>;
  readonly env: Environment;
}

function RequestFacts({ request, env }: RequestFactsProps) {
  const { http_status, code, failed_providers: failed, statement, provider } = request;
  const { consent, reason, match, reference } = request;
  const providerText = failed === null ? 'Not recorded' : failed.join(', ') || 'None';
  return (
    <>
      <Fact name="Code">
        <Code status={http_status} code={code} />
      </Fact>
      <Fact name="Time">
        <Time at={request.requested_at} as="seconds" />
      </Fact>
      <Fact name="Service">{request.service}</Fact>
      <Fact name="Key">
        <span class="name">{request.key_label}</span>
      </Fact>
      {reference !== null && <Fact name="Your reference">{reference}</Fact>}
      <Fact name="Provider">{provider || 'None was called'}</Fact>
      {provider && <Fact name="Providers that failed before">{providerText}</Fact>}
      {match !== null && <Fact name="Match result">{match}</Fact>}
      {consent !== null && <Fact name="Consent, as you sent it">{consent}</Fact>}
      {reason !== null && <Fact name="Reason, as you sent it">{reason}</Fact>}
      {request.replay_of !== null && <Fact name="Free replay of">{request.replay_of}</Fact>}
      {statement && (
        <Fact name="Statement line">
          <StatementLine {...statement} env={env} />
        </Fact>
      )}
    </>
  );
}

function RejectedFacts({ request }: { readonly request: OfKind<'rejected'> }) {
  return (
    <>
      <Fact name="Code">
        <Code status={request.http_status} code={request.code} />
      </Fact>
      <Fact name="Time">
        <Time at={request.minute} />
      </Fact>
      <Fact name="Requests like this one">
        {formatNumber(request.count)} in this minute, with this code and key
      </Fact>
      <Fact name="Service">{request.route}</Fact>
      {request.key_label && (
        <Fact name="Key">
          <span class="name">{request.key_label}</span>
        </Fact>
      )}
    </>
  );
}

function Code({ status, code }: { readonly status: number; readonly code: string | null }) {
  return (
    <>
      <code>{code === null ? status : `${status} ${code}`}</code>
      {code === null && ' (its code was not recorded)'}, see{' '}
      <a href={documentationUrl(code === null ? ALL_CODES : `${ERRORS}#${code}`)}>all codes</a>
    </>
  );
}

interface StatementLineProps {
  readonly month: string;
  readonly at: string;
  readonly id: string;
  readonly amount: number;
  readonly env: Environment;
}

/** Some roles can see requests but not the statement. */
function StatementLine({ month, at, id, amount, env }: StatementLineProps) {
  const credits = Math.abs(amount) === 1 ? 'credit' : 'credits';
  const text = `${formatNumber(amount)} ${credits} in ${monthName(month)}`;
  if (!may('show-wallet')) return <>{text}</>;
  return (
    <>
      {text}:{' '}
      <a href={pageIn(env, '/wallet/statement', { month, since: at, line: id })}>show the statement</a>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
