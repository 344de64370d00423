import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ChangesView } from '../../../../shared/console/views.ts';
import { get, type Problem } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ProblemNotice } from '../components/notice.tsx';
import { formatNumber } from '../format.ts';
import { auditTexts, sharedTexts } from '../texts.ts';
import { exportChanges, type Progress } from './export-changes.ts';
import { type Filter, pathOf } from './filter.ts';

interface ExportDialogProps {
  readonly filter: Filter;
  readonly onClose: () => void;
}

interface Finished {
  readonly count: number;
  /** The address of the file in this browser. */
  readonly address: string;
}

const PAGE_LIMIT = 100;
const PAUSE_MS = 2_000;

/** Builds the CSV file in the browser, page by page. A failed page can be repeated without a new start. */
function useExport(filter: Filter) {
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
      const page = await readPage(pathOf(filter, cursor, PAGE_LIMIT), onFailure);
      problem.value = undefined;
      return page;
    };
    const onProgress = (next: Progress) => {
      progress.value = next;
    };
    exportChanges(read, filter.from, onProgress, controller.signal).then((file) => {
      if (file) finished.value = { count: file.count, address: addressOf(file.csv) };
    });
    return () => {
      controller.abort();
      if (finished.value) URL.revokeObjectURL(finished.value.address);
    };
  }, []);
  return { progress, finished, problem, retry };
}

/** Shows how far the export is, and saves its file. Both states have the same first button, so that it keeps the focus. */
export function ExportDialog({ filter, onClose }: ExportDialogProps) {
  const { progress, finished, problem, retry } = useExport(filter);
  const { count, address } = finished.value ?? {};
  return (
    <Dialog title={auditTexts.exportTitle} onClose={onClose}>
      {count === undefined ? (
        <div>
          <progress aria-label={auditTexts.progress} max={1} value={progress.value.share} />
          <p>{auditTexts.exporting(formatNumber(progress.value.count))}</p>
          <ProblemNotice problem={problem.value} onRetry={() => retry.current()} />
        </div>
      ) : (
        <p role="status">{auditTexts.exported(formatNumber(count), count === 1)}</p>
      )}
      <div class="buttons">
        <Button kind={address ? 'primary' : 'plain'} onClick={onClose}>
          {address ? sharedTexts.close : sharedTexts.cancel}
        </Button>
        {address && <SavedFile address={address} />}
      </div>
    </Dialog>
  );
}

/** Saves the file when it appears. The link saves it again. */
function SavedFile({ address }: Pick<Finished, 'address'>) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.click(), []);
  return (
    <a ref={link} class="button plain" href={address} download={fileName()}>
      {auditTexts.save}
    </a>
  );
}

/** Reads a page until it succeeds. Waits if there were too many requests, and otherwise until the person retries. */
async function readPage(path: string, onFailure: (problem: Problem) => Promise<void>): Promise<ChangesView> {
  for (;;) {
    const result = await get<ChangesView>(path);
    if (result.ok) return result.data;
    if (result.problem.code === 'RATE_LIMITED') await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    else await onFailure(result.problem);
  }
}

const addressOf = (csv: string) => URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));

/** "audit-trail-2026-11-23.csv" */
const fileName = () => `audit-trail-${new Date().toISOString().slice(0, 10)}.csv`;
