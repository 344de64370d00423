import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { LoadedData } from '../loaded-data.ts';
import { stageName } from '../session.ts';
import { sharedTexts } from '../shared-texts.ts';
import { ProblemNotice } from './notice.tsx';

interface PageProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The first page of a visit leaves the focus at the top of the document. */
let isFirstPage = true;

/** A page with its heading, which appears before its data. The focus moves to the heading after a navigation. */
export function Page({ title, lead, action, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const stage = stageName.value;
  useEffect(() => {
    document.title = `${title} – ${sharedTexts.product}${stage ? ` (${stage})` : ''}`;
  }, [title, stage]);
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
  }, []);
  return (
    <>
      <div class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </>
  );
}

export interface DataProps<T> {
  readonly data: LoadedData<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Data<T>({ data, children }: DataProps<T>) {
  const state = data.state.value;
  if (state.is === 'loaded') return <>{children(state.value)}</>;
  if (state.is === 'failed') return <ProblemNotice problem={state.problem} onRetry={data.reload} />;
  return (
    <p class="loading" role="status">
      {sharedTexts.loading}
    </p>
  );
}
