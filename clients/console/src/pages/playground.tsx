import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso/router';
import type { HomeView } from '../../../../shared/home/console/views.ts';
import type { TestCreditsView } from '../../../../shared/payments/console/views.ts';
import type { TestRequestBody } from '../../../../shared/verifications/console/bodies.ts';
import type { TestRequestView } from '../../../../shared/verifications/console/views.ts';
import { type Problem, send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Form } from '../components/form.tsx';
import { Notice, ProblemNotice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { SANDBOX_OUTCOMES } from '../documentation.ts';
import { useForm } from '../form.ts';
import { formatNumber } from '../format.ts';
import { useData } from '../loaded-data.ts';
import { bodyOf, firstInput, type TestInput } from '../playground/request.ts';
import { RequestFields } from '../playground/request-fields.tsx';
import { Response } from '../playground/response.tsx';
import { documentationUrl, may, role } from '../session.ts';
import { pageTitles } from '../shared-texts.ts';
import './playground.css';

/** As the route would reject the request. Other pages are refused when they read their data. */
const REFUSED: Problem = {
  code: 'ROLE_REQUIRED',
  message: 'Your role does not permit this. Ask an owner, administrator or developer of the organisation.',
  ...{ field: '', others: [], requestId: '', isTemporary: false },
};

export default function Playground() {
  return (
    <Page
      title={pageTitles.playground}
      lead="Send requests with test credits, and see how the API responds. All people and companies are invented."
    >
      {role.value && !may('send-test-request') ? <ProblemNotice problem={REFUSED} /> : <TestRequest />}
    </Page>
  );
}

function TestRequest() {
  const form = useForm<TestInput>('playground', firstInput(useRoute().query));
  const view = useSignal<TestRequestView | undefined>(undefined);
  const credits = useCredits();
  const submit = async () => {
    const input = form.values.value;
    const body: TestRequestBody = { service: input.service, body: bodyOf(input) };
    const result = await form.submit(() => send<TestRequestView>('POST', '/playground', body));
    if (!result?.ok) return;
    view.value = result.data;
    credits.available.value = result.data.available;
  };
  return (
    <div class="playground">
      <div>
        <section class="card" aria-labelledby="request">
          <h2 id="request">Request</h2>
          <Form form={form} action="Send" onSubmit={submit}>
            <RequestFields form={form} />
          </Form>
          {form.isSending.value && (
            <p role="status">Waiting for the response. This can take up to 20 seconds.</p>
          )}
        </section>
        <Credits credits={credits} />
      </div>
      <div class="stack">
        {view.value ? (
          <Response view={view.value} />
        ) : (
          <EmptyState title="There is no response yet.">
            <p>
              Choose an outcome, then send the request.{' '}
              <a href={documentationUrl(SANDBOX_OUTCOMES)}>Numbers of the sandbox</a>
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
    const result = await form.submit(() => send<TestCreditsView>('POST', '/test-credits', {}));
    if (result?.ok) available.value = result.data.available;
  };
  return { available, shown: available.value ?? atFirst, form, add };
}

function Credits({ credits: { shown, form, add } }: { readonly credits: ReturnType<typeof useCredits> }) {
  return (
    <section class="card" aria-labelledby="credits">
      <h2 id="credits">Test credits</h2>
      <p role="status">
        {shown === undefined
          ? '…'
          : `${formatNumber(shown)} ${shown === 1 ? 'test credit is' : 'test credits are'} left.`}
      </p>
      {shown === 0 && (
        <Notice kind="warning">You have no test credits. Each request that finds a record costs one.</Notice>
      )}
      <ProblemNotice problem={form.problem.value} />
      {may('take-test-credits') && (
        <Button isBusy={form.isSending.value} onClick={add}>
          Add test credits
        </Button>
      )}
    </section>
  );
}
