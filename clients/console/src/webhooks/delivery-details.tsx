import { useSignal } from '@preact/signals';
import type { AttemptsView, AttemptView } from '../../../../shared/webhooks/console/views.ts';
import { Data } from '../components/page.tsx';
import { ShowMore } from '../components/show-more.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { useData } from '../loaded-data.ts';

interface DeliveryDetailsProps {
  readonly body: string;
  readonly attempts: number;
  /** Of the attempts, which are read when the details are opened. */
  readonly path: string;
}

export function DeliveryDetails({ body, attempts, path }: DeliveryDetailsProps) {
  const isRead = useSignal(false);
  return (
    <ShowMore
      what=" event and responses"
      onOpen={() => {
        isRead.value = true;
      }}
    >
      <p class="small">We sent:</p>
      <pre>{body}</pre>
      {isRead.value && attempts > 0 && <Attempts key={attempts} path={path} />}
    </ShowMore>
  );
}

function Attempts({ path }: { readonly path: string }) {
  return (
    <Data data={useData<AttemptsView>(path)}>
      {({ attempts }) => (
        <ul class="attempts" aria-label="Attempts, newest first">
          {attempts.map((attempt) => (
            <Attempt key={attempt.number} {...attempt} />
          ))}
        </ul>
      )}
    </Data>
  );
}

function Attempt({ number, at, duration_ms, status, reason_text, response_text }: AttemptView) {
  return (
    <li>
      <strong>Attempt {formatNumber(number)}</strong>: <Time at={at} as="seconds" />,{' '}
      {status ? `status ${status}` : 'no response'} after {formatNumber(duration_ms)} ms
      <span class="small block">
        {reason_text ?? 'The event was received. The body of the response is not stored.'}
      </span>
      {response_text && (
        <>
          <p class="small">Body of the response:</p>
          <pre>{response_text}</pre>
        </>
      )}
    </li>
  );
}
