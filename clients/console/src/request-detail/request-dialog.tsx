import type { ComponentChildren } from 'preact';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { RequestDetailView } from '../../../../shared/verifications/console/views.ts';
import { Badge } from '../components/badge.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { Data } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { ALL_CODES, RETRIES } from '../documentation.ts';
import { pageIn } from '../environment.ts';
import { formatNumber } from '../format.ts';
import { useData } from '../loaded-data.ts';
import { monthName } from '../months.ts';
import { OutcomeBadge } from '../requests/outcome-badge.tsx';
import { documentationUrl, may } from '../session.ts';
import { sharedTexts } from '../shared-texts.ts';
import { requestDialogTexts } from '../texts.ts';
import { Timings } from './timings.tsx';

const texts = requestDialogTexts;

interface RequestDialogProps {
  readonly id: string;
  readonly env: Environment;
  readonly onClose: () => void;
}

/** The outcome of a request, whether it was charged, and whether a retry helps. */
export function RequestDialog({ id, env, onClose }: RequestDialogProps) {
  const data = useData<RequestDetailView>(`/requests/${encodeURIComponent(id)}?env=${env}`);
  const { state } = data;
  const isMissing = state.value.is === 'failed' && state.value.problem.code === 'RESOURCE_NOT_FOUND';
  const other = env === 'test' ? 'live' : 'test';
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p class="copied-id">
        <code>{id}</code>
        <CopyButton text={id} about={texts.id} />
      </p>
      {isMissing ? (
        <Notice kind="error">
          <p>{texts.notFound[env]}</p>
          <p>{texts.notFoundHint}</p>
        </Notice>
      ) : (
        <Data data={data}>{(request) => <Detail request={request} env={env} />}</Data>
      )}
      <div class="buttons">
        <Button onClick={onClose}>{sharedTexts.close}</Button>
        {isMissing && (
          <ButtonLink href={pageIn(other, '/requests', { id })}>{texts.otherEnvironment[other]}</ButtonLink>
        )}
      </div>
    </Dialog>
  );
}

function Detail({ request, env }: { readonly request: RequestDetailView; readonly env: Environment }) {
  const { meaning, charge, retry } = request;
  return (
    <>
      <p class="badges">{request.kind === 'request' ? <Result {...request} /> : <Rejected {...request} />}</p>
      <dl class="facts explained">
        <Fact name={texts.happened}>{meaning}</Fact>
        <Fact name={texts.charge}>{charge}</Fact>
        <Fact name={texts.retry}>
          {retry.text}
          {retry.helps !== 'no' && (
            <>
              {' '}
              <a href={documentationUrl(RETRIES)}>{texts.retries}</a>
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
    </>
  );
}

type OfKind<K extends RequestDetailView['kind']> = Extract<RequestDetailView, { kind: K }>;

function Result({ outcome, credits_charged }: OfKind<'request'>) {
  return (
    <>
      <OutcomeBadge outcome={outcome} />{' '}
      <Badge>
        {credits_charged > 0
          ? texts.charged(formatNumber(credits_charged), credits_charged === 1)
          : texts.notCharged}
      </Badge>
    </>
  );
}

function Rejected({ http_status, code }: OfKind<'rejected'>) {
  return (
    <>
      <Badge kind="warning">{`${http_status} ${code}`}</Badge> <Badge>{texts.notCharged}</Badge>
    </>
  );
}

interface RequestFactsProps {
  readonly request: OfKind<'request'>;
  readonly env: Environment;
}

function RequestFacts({ request, env }: RequestFactsProps) {
  const { http_status, code, failed_providers: failed, statement, provider } = request;
  const { consent, reason, reference } = request;
  const providerText = failed === null ? texts.notRecorded : failed.join(', ') || texts.noneFailed;
  return (
    <>
      <Fact name={texts.code}>
        <Code status={http_status} code={code} />
      </Fact>
      <Fact name={texts.time}>
        <Time at={request.requested_at} as="seconds" />
      </Fact>
      <Fact name={texts.service}>{request.service}</Fact>
      <Fact name={texts.key}>
        <span class="name">{request.key_label}</span>
      </Fact>
      {reference !== null && <Fact name={texts.reference}>{reference}</Fact>}
      <Fact name={texts.provider}>{provider || texts.noProvider}</Fact>
      {provider && <Fact name={texts.failedProviders}>{providerText}</Fact>}
      {consent !== null && <Fact name={texts.consent}>{consent}</Fact>}
      {reason !== null && <Fact name={texts.reason}>{reason}</Fact>}
      {statement && (
        <Fact name={texts.statement}>
          <StatementLine {...statement} env={env} />
        </Fact>
      )}
    </>
  );
}

function RejectedFacts({ request }: { readonly request: OfKind<'rejected'> }) {
  return (
    <>
      <Fact name={texts.code}>
        <Code status={request.http_status} code={request.code} />
      </Fact>
      <Fact name={texts.time}>
        <Time at={request.minute} />
      </Fact>
      <Fact name={texts.count}>{texts.rejectedCount(formatNumber(request.count))}</Fact>
      <Fact name={texts.route}>
        <code>{request.route}</code>
      </Fact>
      {request.key_label && (
        <Fact name={texts.key}>
          <span class="name">{request.key_label}</span>
        </Fact>
      )}
    </>
  );
}

/** The code, with a link to the documentation of all codes. */
function Code({ status, code }: { readonly status: number; readonly code: string | null }) {
  return (
    <>
      <code>{code === null ? status : `${status} ${code}`}</code>
      {code === null && ` (${texts.noCode})`}, {texts.see}{' '}
      <a href={documentationUrl(ALL_CODES)}>{texts.allCodes}</a>
    </>
  );
}

interface StatementLineProps {
  readonly month: string;
  readonly amount: number;
  readonly env: Environment;
}

/** Some roles can see requests but not the statement. */
function StatementLine({ month, amount, env }: StatementLineProps) {
  const text = texts.statementLine(formatNumber(amount), monthName(month));
  if (!may('show-wallet')) return <>{text}</>;
  return (
    <>
      {text}: <a href={pageIn(env, '/wallet/statement', { month })}>{texts.showStatement}</a>
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
