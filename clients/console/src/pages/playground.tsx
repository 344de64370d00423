import { useSignal } from '@preact/signals';
import type { HomeView } from '../../../../shared/home/console/views.ts';
import type { TestCreditsView } from '../../../../shared/payments/console/views.ts';
import type { TestRequestBody } from '../../../../shared/verifications/console/bodies.ts';
import type { TestRequestView } from '../../../../shared/verifications/console/views.ts';
import { send } from '../api.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Form } from '../components/form.tsx';
import { Notice, ProblemNotice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { SANDBOX_OUTCOMES } from '../documentation.ts';
import { pageIn, useEnvironment } from '../environment.ts';
import { useForm } from '../form.ts';
import { formatNumber } from '../format.ts';
import { useData } from '../loaded-data.ts';
import { bodyOf, firstInput, type TestInput } from '../playground/request.ts';
import { RequestFields } from '../playground/request-fields.tsx';
import { Response } from '../playground/response.tsx';
import { documentationUrl, may } from '../session.ts';
import { pageTitles, playgroundTexts as texts } from '../texts.ts';
import './playground.css';

export default function Playground() {
  const isTest = useEnvironment() === 'test';
  return (
    <Page title={pageTitles.playground} lead={texts.lead}>
      {isTest ? (
        <TestRequest />
      ) : (
        <EmptyState title={texts.liveTitle}>
          <p>{texts.liveText}</p>
          <ButtonLink kind="primary" href={pageIn('test', '/playground')}>
            {texts.toTest}
          </ButtonLink>
        </EmptyState>
      )}
    </Page>
  );
}

function TestRequest() {
  const form = useForm<TestInput>('playground', firstInput());
  const view = useSignal<TestRequestView | undefined>(undefined);
  const credits = useCredits();
  const submit = async () => {
    const input = form.values.value;
    const body: TestRequestBody = { service: input.service, body: bodyOf(input) };
    const result = await form.submit((keep) => send<TestRequestView>('POST', '/playground', body, keep));
    if (!result?.ok) return;
    view.value = result.data;
    credits.available.value = result.data.available;
  };
  return (
    <div class="playground">
      <div>
        <section class="card" aria-labelledby="request">
          <h2 id="request">{texts.request}</h2>
          <Form form={form} action={texts.send} onSubmit={submit}>
            <RequestFields form={form} />
          </Form>
          {form.isSending.value && <p role="status">{texts.waiting}</p>}
        </section>
        <Credits credits={credits} />
      </div>
      <div class="stack">
        {view.value ? (
          <Response view={view.value} />
        ) : (
          <EmptyState title={texts.none}>
            <p>
              {texts.noneHint} <a href={documentationUrl(SANDBOX_OUTCOMES)}>{texts.outcomes}</a>
            </p>
          </EmptyState>
        )}
      </div>
    </div>
  );
}

/** Returns the remaining test credits (from the last response, or at first from Home) and the action that adds more. */
function useCredits() {
  const home = useData<HomeView>('/home').state.value;
  const available = useSignal<number | undefined>(undefined);
  const form = useForm('test-credits', {});
  const atFirst = home.is === 'loaded' ? home.value.wallets.test.available : undefined;
  const add = async () => {
    const result = await form.submit((keep) => send<TestCreditsView>('POST', '/test-credits', {}, keep));
    if (result?.ok) available.value = result.data.available;
  };
  return { available, shown: available.value ?? atFirst, form, add };
}

function Credits({ credits: { shown, form, add } }: { readonly credits: ReturnType<typeof useCredits> }) {
  return (
    <section class="card" aria-labelledby="credits">
      <h2 id="credits">{texts.credits}</h2>
      <p role="status">{shown === undefined ? '…' : texts.left(formatNumber(shown), shown === 1)}</p>
      {shown === 0 && <Notice kind="warning">{texts.noCredits}</Notice>}
      <ProblemNotice problem={form.problem.value} />
      {may('take-test-credits') && (
        <Button isBusy={form.isSending.value} onClick={add}>
          {texts.addCredits}
        </Button>
      )}
    </section>
  );
}
