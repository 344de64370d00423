import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Problem, Result } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ProblemNotice } from '../components/notice.tsx';
import { sharedTexts } from '../shared-texts.ts';
import { type ExportPage, exportCsv, type Progress } from './export-csv.ts';

export interface ExportProps {
  readonly title: string;
  /** The name of the file without its extension, such as `statement-live-2026-11`. */
  readonly fileName: string;
  readonly columns: readonly string[];
  /** Reads the page after a cursor, with as many rows as the route permits. */
  readonly readPage: (cursor: string | null) => Promise<Result<ExportPage>>;
  /** Returns a number of rows with its noun: "12 changes". */
  readonly countText: (count: number) => string;
  readonly onClose: () => void;
}

interface Finished {
  readonly count: number;
  /** The address of the file in this browser. */
  readonly address: string;
}

const PAUSE_MS = 2_000;

/** Builds the CSV file in the browser, page by page. A page that fails can be retried without restarting the export. */
function useExport({ columns, readPage }: Pick<ExportProps, 'columns' | 'readPage'>) {
  const progress = useSignal<Progress>({ count: 0, share: undefined });
  const finished = useSignal<Finished | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const retry = useRef(() => {});
  useEffect(() => {
    const controller = new AbortController();
    const onFailure = (failure: Problem) =>
      new Promise<void>((resolve) => {
        problem.value = failure;
        retry.current = resolve;
      });
    const read = async (cursor: string | null) => {
      const page = await untilRead(() => readPage(cursor), onFailure);
      problem.value = undefined;
      return page;
    };
    const onProgress = (next: Progress) => {
      progress.value = next;
    };
    exportCsv(columns, read, onProgress, controller.signal).then((file) => {
      if (file) finished.value = { count: file.count, address: addressOf(file.csv) };
    });
    return () => {
      controller.abort();
      if (finished.value) URL.revokeObjectURL(finished.value.address);
    };
  }, []);
  return { progress, finished, problem, retry };
}

/**
 * Shows the progress of the export and saves its file. Both states have the same first button, so that it keeps the
 * focus.
 */
export function ExportSteps({ title, fileName, countText, onClose, ...source }: ExportProps) {
  const { progress, finished, problem, retry } = useExport(source);
  const { count, address } = finished.value ?? {};
  return (
    <Dialog title={title} onClose={onClose}>
      {count === undefined ? (
        <div>
          <progress aria-label="Progress of the export" max={1} value={progress.value.share} />
          <p>{countText(progress.value.count)} so far</p>
          <ProblemNotice problem={problem.value} onRetry={() => retry.current()} />
        </div>
      ) : (
        <p role="status">The file contains {countText(count)}.</p>
      )}
      <div class="buttons">
        <Button kind={address ? 'primary' : 'plain'} onClick={onClose}>
          {address ? sharedTexts.close : sharedTexts.cancel}
        </Button>
        {address && <SavedFile name={`${fileName}.csv`} address={address} />}
      </div>
    </Dialog>
  );
}

/** Saves the file when it appears. The link saves it again. */
function SavedFile({ name, address }: { readonly name: string; readonly address: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.click(), []);
  return (
    <a ref={link} class="button plain" href={address} download={name}>
      Save the file again
    </a>
  );
}

/**
 * Reads a page, and repeats this until it succeeds: two seconds after a 429 response, and after any other failure when
 * the person retries.
 */
async function untilRead(
  read: () => Promise<Result<ExportPage>>,
  onFailure: (problem: Problem) => Promise<void>,
): Promise<ExportPage> {
  for (;;) {
    const result = await read();
    if (result.ok) return result.data;
    if (result.problem.code === 'RATE_LIMITED') await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    else await onFailure(result.problem);
  }
}

const addressOf = (csv: string) => URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
