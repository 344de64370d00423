import { useSignal } from '@preact/signals';
import { ENVIRONMENTS } from '../../../../shared/core/environment.ts';
import type { HomeStep, HomeView } from '../../../../shared/home/console/views.ts';
import type { TestCreditsView } from '../../../../shared/payments/console/views.ts';
import { send } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { BarChart } from '../components/bar-chart.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Notice, ProblemNotice } from '../components/notice.tsx';
import { Data, Page } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { GOING_LIVE, QUICK_START } from '../documentation.ts';
import { pageIn, useEnvironment } from '../environment.ts';
import { useForm } from '../form.ts';
import { formatDay, formatNumber } from '../format.ts';
import { type LoadedData, useData } from '../loaded-data.ts';
import { documentationUrl, may, role } from '../session.ts';
import { homeTexts, pageTitles } from '../texts.ts';

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
  const isTesting = next?.id === 'test-key' || next?.id === 'first-request';
  const credits = useTestCredits(data);
  // Without test credits, the first request would be rejected.
  const areCreditsNext = isTesting && home.wallets.test.available === 0 && may('take-test-credits');
  return (
    <div class="stack">
      {next && (
        <section class="card next" aria-labelledby="next-step">
          <p class="small">{homeTexts.nextStep}</p>
          {areCreditsNext ? <TestCreditsStep credits={credits} /> : <Step id={next.id} />}
          <Steps steps={home.steps} />
        </section>
      )}
      {home.alerts.length > 0 && <Alerts home={home} />}
      <div class="cards">
        <Credits home={home} credits={areCreditsNext ? undefined : credits} isLive={!next} />
        <Registries home={home} />
      </div>
      <LookUps home={home} />
    </div>
  );
}

// The next step.

function Step({ id }: { readonly id: HomeStep }) {
  const { title, text, action } = homeTexts.steps[id];
  return (
    <>
      <h2 id="next-step">{title}</h2>
      <p>{text}</p>
      {!mayDo(id) && <p class="hint">{homeTexts.notYours}</p>}
      <div class="buttons">
        {mayDo(id) && (
          <ButtonLink kind={id === 'approval' ? 'plain' : 'primary'} href={addressOf(id)}>
            {action}
          </ButtonLink>
        )}
        {id === 'first-request' && (
          <ButtonLink href={documentationUrl(QUICK_START)}>{homeTexts.quickStart}</ButtonLink>
        )}
      </div>
    </>
  );
}

function mayDo(step: HomeStep): boolean {
  if (step === 'profile' || step === 'submit') return may('update-organisation');
  if (step === 'service') return may('change-service');
  if (step === 'top-up') return may('show-wallet');
  // Developers manage test keys only.
  if (step === 'live-key') return may('create-key') && role.value !== 'developer';
  if (step === 'test-key') return may('create-key');
  return step === 'first-request' ? may('send-test-request') : true;
}

function addressOf(step: HomeStep): string {
  if (step === 'test-key') return '/keys?env=test';
  if (step === 'live-key') return '/keys';
  if (step === 'service') return '/services';
  if (step === 'top-up') return '/wallet';
  if (step === 'profile' || step === 'submit') return '/organisation';
  return step === 'first-request' ? '/playground?env=test' : documentationUrl(GOING_LIVE);
}

/** All steps, in a list that opens below the number of completed steps. */
function Steps({ steps }: Pick<HomeView, 'steps'>) {
  const done = steps.filter(({ is_done }) => is_done).length;
  const label = homeTexts.progress(done, steps.length);
  return (
    <div class="steps">
      <progress value={done} max={steps.length} aria-label={label} />
      <details>
        <summary>{label}</summary>
        <ol class="rows">
          {steps.map(({ id, is_done }) => (
            <li key={id}>
              {homeTexts.steps[id].title}
              <Badge kind={is_done ? 'good' : 'plain'}>{is_done ? homeTexts.done : homeTexts.open}</Badge>
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}

// Credits.

/** Returns the action that adds test credits, and its result. */
function useTestCredits(data: LoadedData<HomeView>) {
  const form = useForm('test-credits', {});
  const added = useSignal(0);
  const add = async () => {
    added.value = 0;
    const result = await form.submit((keep) => send<TestCreditsView>('POST', '/test-credits', {}, keep));
    if (!result?.ok) return;
    added.value = result.data.added;
    await data.reload();
  };
  return { form, added, add };
}

type TestCredits = ReturnType<typeof useTestCredits>;

function TestCreditsStep({ credits: { form, add } }: { readonly credits: TestCredits }) {
  const { title, text, action } = homeTexts.testCredits;
  return (
    <>
      <h2 id="next-step">{title}</h2>
      <p>{text}</p>
      <ProblemNotice problem={form.problem.value} />
      <Button kind="primary" isBusy={form.isSending.value} onClick={add}>
        {action}
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
      <h2 id="credits">{homeTexts.credits}</h2>
      <dl class="figures">
        {ENVIRONMENTS.map((environment) => {
          const { available, held } = home.wallets[environment];
          return (
            <div key={environment}>
              <dt>{homeTexts.environments[environment]}</dt>
              <dd>
                <span class="figure">{formatNumber(available)}</span>
                {held > 0 && <span class="small">{homeTexts.held(held)}</span>}
              </dd>
            </div>
          );
        })}
      </dl>
      {home.runs_out_on && <p>{homeTexts.lastUntil(formatDay(home.runs_out_on, 'UTC'))}</p>}
      <div class="buttons">
        {isLive && may('show-wallet') && <ButtonLink href="/wallet">{homeTexts.topUp}</ButtonLink>}
        {credits && may('take-test-credits') && (
          <Button isBusy={credits.form.isSending.value} onClick={credits.add}>
            {homeTexts.testCredits.action}
          </Button>
        )}
      </div>
      {credits && credits.added.value > 0 && (
        <Notice kind="success">{homeTexts.creditsAdded(credits.added.value)}</Notice>
      )}
      <ProblemNotice problem={credits?.form.problem.value} />
    </section>
  );
}

// Alerts, registries and look-ups.

function Alerts({ home }: { readonly home: HomeView }) {
  return (
    <section class="card" aria-labelledby="alerts">
      <h2 id="alerts">{homeTexts.alerts}</h2>
      <ul class="rows">
        {home.alerts.map(({ id, at, title }) => (
          <li key={id}>
            {title} <Time at={at} />
          </li>
        ))}
      </ul>
      <ButtonLink href={pageIn(useEnvironment(), '/alerts')}>{homeTexts.allAlerts}</ButtonLink>
    </section>
  );
}

const REGISTRY_BADGES = { up: 'good', degraded: 'warning', down: 'bad', off: 'plain' } as const;

function Registries({ home }: { readonly home: HomeView }) {
  return (
    <section class="card" aria-labelledby="registries">
      <h2 id="registries">{homeTexts.registries}</h2>
      <ul class="rows">
        {home.registries.map(({ id_type, status }) => (
          <li key={id_type}>
            {id_type}
            <Badge kind={REGISTRY_BADGES[status]}>{homeTexts.registryStates[status]}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LookUps({ home: { look_ups } }: { readonly home: HomeView }) {
  const sum = look_ups.reduce((total, { count }) => total + count, 0);
  if (sum === 0) return <EmptyState title={homeTexts.noLookUps}>{homeTexts.noLookUpsText}</EmptyState>;
  return (
    <section class="card" aria-labelledby="look-ups">
      <h2 id="look-ups">{homeTexts.lookUps}</h2>
      <BarChart
        summary={homeTexts.lookUpSum(sum, look_ups.length)}
        heads={[homeTexts.day, homeTexts.count]}
        bars={look_ups.map(({ day, count }) => ({
          label: formatDay(day, 'UTC'),
          value: count,
        }))}
      />
    </section>
  );
}
