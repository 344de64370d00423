import { useSignal } from '@preact/signals';
import type { Environment } from '../../../../shared/core/environment.ts';
import { ENVIRONMENTS } from '../../../../shared/core/environment.ts';
import type { HomeStep, HomeView } from '../../../../shared/home/console/views.ts';
import type { TestCreditsView } from '../../../../shared/payments/console/views.ts';
import { send } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { BarChart } from '../components/bar-chart.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Notice, ProblemNotice } from '../components/notice.tsx';
import { Owners } from '../components/owners.tsx';
import { Data, Page } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { GOING_LIVE, QUICK_START } from '../documentation.ts';
import { useEnvironment } from '../environment.ts';
import { useForm } from '../form.ts';
import { formatDay, formatNumber, lastsText } from '../format.ts';
import { type LoadedData, useData } from '../loaded-data.ts';
import { pageIn } from '../page-address.ts';
import { documentationUrl, may, mayManage } from '../session.ts';
import { environmentNames, pageTitles, registryStates } from '../shared-texts.ts';

const STEPS = {
  'test-credits': {
    title: 'Add test credits',
    text: 'Test requests cost credits, which are free, once a day.',
    action: 'Add test credits',
  },
  'test-key': {
    title: 'Create a test key',
    text: 'With a test key, you can send requests to the sandbox.',
    action: 'Create a test key',
  },
  'first-request': {
    title: 'Send a test request',
    text: 'Send it from the playground, or from a terminal: the quick start has a command to paste.',
    action: 'Open the playground',
  },
  profile: {
    title: 'Fill in the profile of the organisation',
    text: 'Company number, tax number, address and contacts. The numbers are looked up when you submit.',
    action: 'Fill in the profile',
  },
  submit: {
    title: 'Accept the terms and submit',
    text: 'We then check your organisation. Live requests work once it is approved.',
    action: 'Review and submit',
  },
  approval: {
    title: 'Wait for approval',
    text: 'We are checking your organisation. Test keys keep working.',
    action: 'Prepare to go live',
  },
  service: {
    title: 'Enable a service',
    text: 'Live requests need an enabled service.',
    action: 'Choose services',
  },
  'top-up': {
    title: 'Top up the live wallet',
    text: 'Live requests cost credits. Buy them in the wallet.',
    action: 'Top up',
  },
  'live-key': {
    title: 'Create a live key',
    text: 'With a live key, your servers verify real numbers.',
    action: 'Create a live key',
  },
} satisfies Record<HomeStep, { title: string; text: string; action: string }>;

export default function Home() {
  const data = useData<HomeView>('/home');
  return (
    <Page title={pageTitles.home}>
      <Data data={data}>{(home) => <Content home={home} data={data} />}</Data>
    </Page>
  );
}

interface ContentProps {
  readonly home: HomeView;
  readonly data: LoadedData<HomeView>;
}

function Content({ home, data }: ContentProps) {
  const next = home.steps.find(({ is_done }) => !is_done);
  const credits = useTestCredits(data);
  const areCreditsNext = next?.id === 'test-credits' && may('take-test-credits');
  return (
    <div class="stack">
      {next && (
        <section class="card next" aria-labelledby="next-step">
          <p class="small">Next step</p>
          {areCreditsNext ? <TestCreditsStep credits={credits} /> : <Step id={next.id} />}
          <Steps steps={home.steps} />
        </section>
      )}
      {home.alerts.length > 0 && <Alerts home={home} />}
      <div class="cards">
        <Credits home={home} credits={areCreditsNext ? undefined : credits} isLive={!next} />
        <Registries home={home} />
      </div>
      <Requests home={home} />
    </div>
  );
}

// The next step.

function Step({ id }: { readonly id: HomeStep }) {
  const { title, text, action } = STEPS[id];
  const environment = useEnvironment();
  return (
    <>
      <h2 id="next-step">{title}</h2>
      <p>{text}</p>
      {!mayDo(id) && (
        <p class="hint">
          Ask an owner or administrator to do this. <Owners />
        </p>
      )}
      <div class="buttons">
        {mayDo(id) && (
          <ButtonLink kind={id === 'approval' ? 'plain' : 'primary'} href={addressOf(id, environment)}>
            {action}
          </ButtonLink>
        )}
        {id === 'first-request' && (
          <ButtonLink href={documentationUrl(QUICK_START)}>Open the quick start</ButtonLink>
        )}
      </div>
    </>
  );
}

function mayDo(step: HomeStep): boolean {
  if (step === 'profile' || step === 'submit') return may('update-organisation');
  if (step === 'service') return may('change-service');
  if (step === 'top-up') return may('show-wallet');
  if (step === 'live-key') return mayManage('live');
  if (step === 'test-key') return mayManage('test');
  if (step === 'test-credits') return may('take-test-credits');
  return step === 'first-request' ? may('send-test-request') : true;
}

function addressOf(step: HomeStep, environment: Environment): string {
  // The page itself has the button.
  if (step === 'test-credits') return '/';
  if (step === 'test-key') return '/keys?env=test';
  if (step === 'live-key') return '/keys';
  if (step === 'service') return '/services';
  if (step === 'top-up') return '/wallet';
  if (step === 'profile' || step === 'submit') return '/organisation';
  return step === 'first-request' ? pageIn(environment, '/playground') : documentationUrl(GOING_LIVE);
}

function Steps({ steps }: Pick<HomeView, 'steps'>) {
  const done = steps.filter(({ is_done }) => is_done).length;
  const label = `${done} of ${steps.length} steps done`;
  const environment = useEnvironment();
  return (
    <div class="steps">
      <progress value={done} max={steps.length} aria-label={label} />
      <details>
        <summary>{label}</summary>
        <ol class="rows">
          {steps.map(({ id, is_done }) => (
            <li key={id}>
              {mayDo(id) ? <a href={addressOf(id, environment)}>{STEPS[id].title}</a> : STEPS[id].title}
              <Badge kind={is_done ? 'good' : 'plain'}>{is_done ? 'Done' : 'To do'}</Badge>
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}

// Credits.

function useTestCredits(data: LoadedData<HomeView>) {
  const form = useForm('test-credits', {});
  const added = useSignal(0);
  const add = async () => {
    added.value = 0;
    const result = await form.submit(() => send<TestCreditsView>('POST', '/test-credits', {}));
    if (!result?.ok) return;
    added.value = result.data.added;
    await data.reload();
  };
  return { form, added, add };
}

type TestCredits = ReturnType<typeof useTestCredits>;

function TestCreditsStep({ credits: { form, add } }: { readonly credits: TestCredits }) {
  return (
    <>
      <h2 id="next-step">{STEPS['test-credits'].title}</h2>
      <p>{STEPS['test-credits'].text}</p>
      <ProblemNotice problem={form.problem.value} />
      <Button kind="primary" isBusy={form.isSending.value} onClick={add}>
        {STEPS['test-credits'].action}
      </Button>
    </>
  );
}

interface CreditsProps {
  readonly home: HomeView;
  /** Undefined if the next step already offers them. */
  readonly credits: TestCredits | undefined;
  /** Whether all steps are done. Until then, the card has no link to top up. */
  readonly isLive: boolean;
}

function Credits({ home, credits, isLive }: CreditsProps) {
  return (
    <section class="card" aria-labelledby="credits">
      <h2 id="credits">Credits</h2>
      <dl class="figures">
        {ENVIRONMENTS.map((environment) => {
          const { available, held } = home.wallets[environment];
          return (
            <div key={environment}>
              <dt>{environmentNames[environment]}</dt>
              <dd>
                <span class="figure">{formatNumber(available)}</span>
                {held > 0 && <span class="small">{formatNumber(held)} held for requests in progress</span>}
              </dd>
            </div>
          );
        })}
      </dl>
      {home.wallets.live.available > 0 && (home.daily_use || home.runs_out_on) && (
        <p>At this rate, the live credits will last {lastsText(home.runs_out_on)}.</p>
      )}
      <div class="buttons">
        {isLive && may('show-wallet') && <ButtonLink href="/wallet">Top up</ButtonLink>}
        {credits && may('take-test-credits') && (
          <Button isBusy={credits.form.isSending.value} onClick={credits.add}>
            Add test credits
          </Button>
        )}
      </div>
      {credits && credits.added.value > 0 && (
        <Notice kind="success">{formatNumber(credits.added.value)} test credits were added.</Notice>
      )}
      <ProblemNotice problem={credits?.form.problem.value} />
    </section>
  );
}

// Alerts, registries and requests.

function Alerts({ home }: { readonly home: HomeView }) {
  return (
    <section class="card" aria-labelledby="alerts">
      <h2 id="alerts">Alerts</h2>
      <ul class="rows">
        {home.alerts.map(({ id, at, title }) => (
          <li key={id}>
            {title} <Time at={at} />
          </li>
        ))}
      </ul>
      <ButtonLink href={pageIn(useEnvironment(), '/alerts')}>All alerts</ButtonLink>
    </section>
  );
}

const REGISTRY_BADGES = { up: 'good', degraded: 'warning', down: 'bad', off: 'plain' } as const;

function Registries({ home }: { readonly home: HomeView }) {
  return (
    <section class="card" aria-labelledby="registries">
      <h2 id="registries">Registries</h2>
      <ul class="rows">
        {home.registries.map(({ id_type, status }) => (
          <li key={id_type}>
            {id_type}
            <Badge kind={REGISTRY_BADGES[status]}>{registryStates[status]}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Requests({ home: { requests } }: { readonly home: HomeView }) {
  const sum = requests.reduce((total, { count }) => total + count, 0);
  if (sum === 0)
    return (
      <EmptyState title="No live requests yet">
        Requests with your live keys appear here, counted every hour.
      </EmptyState>
    );
  return (
    <section class="card" aria-labelledby="requests">
      <h2 id="requests">Live requests</h2>
      <BarChart
        summary={`Requests in the last ${requests.length} days, counted every hour: ${formatNumber(sum)}`}
        heads={['Day (Africa/Lagos)', 'Requests']}
        bars={requests.map(({ day, count }) => ({
          label: formatDay(day, 'UTC'),
          value: count,
        }))}
      />
    </section>
  );
}
