import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { TestRequestView } from '../../../../shared/verifications/console/views.ts';
import { Badge } from '../components/badge.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { DataTable } from '../components/data-table.tsx';
import { bringIntoView } from '../components/results.tsx';
import { formatNumber } from '../format.ts';
import { Samples } from './samples.tsx';

interface ResponseProps {
  readonly view: TestRequestView;
}

export function Response({ view }: ResponseProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    bringIntoView(heading.current);
    heading.current?.focus({ preventScroll: true });
  }, [view]);
  const { status, envelope, headers, pdf, meaning, is_listed, took_ms, documentation_url } = view;
  const { code = 'PDF' } = (envelope ?? {}) as { readonly code?: string };
  return (
    <>
      <section class="card" aria-labelledby="response">
        <h2 id="response" ref={heading} tabIndex={-1}>
          <Badge kind={status === 200 ? 'good' : 'bad'}>{status}</Badge> {code}
        </h2>
        <p>{meaning}</p>
        {!is_listed && <p>It was rejected before it reserved a credit, so Requests does not list it.</p>}
        <dl class="figures">
          <Figure label="Test credits charged" value={headers['X-Credits-Charged'] ?? 'Unknown'} />
          <Figure label="Time" value={`${formatNumber(took_ms)} ms`} />
        </dl>
        {pdf === null ? <Json envelope={envelope} /> : <Pdf pdf={pdf} />}
        <Fields fields={view.fields} />
        <details>
          <summary>Headers</summary>
          <pre>{Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
        </details>
      </section>
      <section class="card" aria-labelledby="samples">
        <h2 id="samples">The same request as code</h2>
        <Samples samples={view.samples} />
        <p>
          <a class="button link" href={documentation_url}>
            Documentation of this request
          </a>
        </p>
      </section>
    </>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Longer texts are shortened: a photo in Base64 would fill many screens. The Copy button copies them in full. */
const MAX_TEXT = 160;
const shortened = (_: string, value: unknown) =>
  typeof value === 'string' && value.length > MAX_TEXT
    ? `${value.slice(0, 40)}… (${formatNumber(value.length)} characters)`
    : value;

function Json({ envelope }: Pick<TestRequestView, 'envelope'>) {
  /** The API writes the scores 0 and 1 as 0.0 and 1.0. JavaScript would print them without the decimal. */
  const json = (replacer?: typeof shortened) =>
    JSON.stringify(envelope, replacer, 2).replace(/(score": [01])(?!\.)/g, '$1.0');
  return (
    <>
      <pre>
        <code>{json(shortened)}</code>
      </pre>
      <CopyButton text={json()} about="the response" />
    </>
  );
}

/** A link to a file in memory. The page's security policy does not permit showing it in a frame. */
function Pdf({ pdf }: { readonly pdf: string }) {
  const address = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const bytes = Uint8Array.from(atob(pdf), (character) => character.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
    address.value = url;
    return () => URL.revokeObjectURL(url);
  }, [pdf]);
  if (!address.value) return null;
  return (
    <a class="button plain" download="slip.pdf" href={address.value}>
      Download the slip
    </a>
  );
}

function Fields({ fields }: Pick<TestRequestView, 'fields'>) {
  if (fields.length === 0) return null;
  return (
    <details>
      <summary>What each of the {fields.length} fields means</summary>
      <DataTable
        caption="Fields of the response"
        columns={[
          { head: 'Field', cell: ({ name }) => <code>{name}</code> },
          { head: 'Meaning', cell: ({ description }) => withCode(description) },
        ]}
        rows={fields}
        keyOf={({ name }) => name}
      />
    </details>
  );
}

const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
