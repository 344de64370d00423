import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { TestRequestView } from '../../../../shared/verifications/console/views.ts';
import { CopyButton } from '../components/copy-button.tsx';

/** The same call in each language, as tabs. The arrow keys switch tabs. */
export function Samples({ samples }: Pick<TestRequestView, 'samples'>) {
  const index = useSignal(0);
  const tabs = useRef<HTMLDivElement>(null);
  const sample = samples[index.value];
  if (!sample) return null;
  const move = (key: string) => {
    const next = nextTab(key, index.value, samples.length - 1);
    if (next === undefined) return false;
    index.value = next;
    tabs.current?.querySelectorAll('button')[next]?.focus();
    return true;
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-labelledby="samples" ref={tabs}>
        {samples.map(({ language }, position) => (
          <button
            key={language}
            type="button"
            role="tab"
            id={`tab-${position}`}
            aria-controls="sample"
            aria-selected={position === index.value}
            tabIndex={position === index.value ? 0 : -1}
            onClick={() => {
              index.value = position;
            }}
            onKeyDown={(event) => {
              if (move(event.key)) event.preventDefault();
            }}
          >
            {language}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="sample" aria-labelledby={`tab-${index.value}`}>
        <pre>
          <code>{sample.code}</code>
        </pre>
        <CopyButton key={sample.language} text={sample.code} about={`the sample in ${sample.language}`} />
      </div>
    </>
  );
}

function nextTab(key: string, current: number, last: number): number | undefined {
  return {
    ArrowRight: current === last ? 0 : current + 1,
    ArrowLeft: current === 0 ? last : current - 1,
    Home: 0,
    End: last,
  }[key];
}
