import { pageTitles } from '../shared-texts.ts';
import './keys.css';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { KeysView, KeyView } from '../../../../shared/accounts/console/views.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Checkbox } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Data, Page } from '../components/page.tsx';
import { MOVE, QUICK_START } from '../documentation.ts';
import { useEnvironment } from '../environment.ts';
import { keptInput } from '../form.ts';
import { KeyDialogs } from '../keys/key-dialogs.tsx';
import { isLive, mayCreate } from '../keys/key-rights.ts';
import { KeyTable } from '../keys/key-table.tsx';
import {
  CREATE_FORM,
  editFormOf,
  type OpenedDialog,
  revokeFormOf,
  rotateFormOf,
} from '../keys/opened-dialog.ts';
import { type LoadedData, useData } from '../loaded-data.ts';
import { pageIn } from '../page-address.ts';
import { documentationUrl, mayManage, session } from '../session.ts';

export default function Keys() {
  const environment = useEnvironment();
  const { route } = useLocation();
  const data = useData<KeysView>('/keys');
  const opened = useSignal<OpenedDialog | undefined>(undefined);
  const message = useSignal('');
  const open = (next: OpenedDialog | undefined) => {
    if (next) message.value = '';
    opened.value = next;
  };
  const create = (
    <Button kind="primary" onClick={() => open({ is: 'create' })}>
      Create key
    </Button>
  );
  const canCreate = data.state.value.is === 'loaded' && mayCreate(environment);
  const showChanged = (view: KeysView, changed: KeyView, how: string) => {
    message.value = `The key ${changed.label} was ${how}.`;
    data.replace({ ...view, keys: view.keys.map((key) => (key.id === changed.id ? changed : key)) });
  };
  /** Shows the new key at once, then reads all keys again, because a rotation also changes the old key. */
  const showCreated = (view: KeysView, created: KeyView) => {
    data.replace({ ...view, keys: [created, ...view.keys] });
    data.reload();
    if (created.env !== environment) route(pageIn(created.env, '/keys'));
  };
  return (
    <Page
      title={pageTitles.keys}
      lead="Your servers send an API key with each request. Each key works in one environment only."
      action={canCreate && create}
    >
      <LiveNotice />
      {message.value && <Notice kind="success">{message.value}</Notice>}
      <Data data={data}>
        {(view) => (
          <>
            <KeyList view={view} data={data} onOpen={open} />
            <KeyDialogs
              scopes={view.scopes}
              opened={opened.value}
              onOpen={open}
              onChanged={(changed, how) => showChanged(view, changed, how)}
              onStored={(created) => showCreated(view, created)}
            />
          </>
        )}
      </Data>
    </Page>
  );
}

function LiveNotice() {
  const status = session.value?.organisation?.status;
  // The page says above that the organisation is suspended.
  if (useEnvironment() === 'test' || !session.value || status === 'SUSPENDED') return null;
  if (!mayManage('live'))
    return (
      <Notice kind="information">
        <p>Only owners and administrators can create, edit, rotate or revoke live keys.</p>
      </Notice>
    );
  if (mayCreate('live')) return null;
  return (
    <Notice kind="information">
      <p>
        {status === 'SUBMITTED' && 'We are checking your organisation. '}
        You can create live keys once your organisation is approved. Test keys work now.
      </p>
      {status !== 'SUBMITTED' && <ButtonLink href="/organisation">See what is missing</ButtonLink>}
    </Notice>
  );
}

interface KeyListProps {
  readonly view: KeysView;
  readonly data: LoadedData<KeysView>;
  readonly onOpen: (opened: OpenedDialog) => void;
}

function KeyList({ view, data, onOpen }: KeyListProps) {
  const environment = useEnvironment();
  const isInactiveShown = useSignal(false);
  const isRefreshed = useSignal(false);
  useEffect(() => reopen(view, onOpen), []);
  const keys = view.keys.filter(({ env }) => env === environment);
  const live = keys.filter(isLive);
  const shown = isInactiveShown.value ? keys : live;
  const refresh = async () => {
    isRefreshed.value = false;
    await data.reload();
    isRefreshed.value = true;
  };
  return (
    <>
      {keys.length > 0 && (
        <div class="toolbar">
          {keys.length > live.length && (
            <Checkbox
              name="show-inactive"
              label={`Show revoked and expired keys (${keys.length - live.length})`}
              isChecked={isInactiveShown.value}
              onChange={(isShown) => {
                isInactiveShown.value = isShown;
              }}
            />
          )}
          <Button onClick={refresh}>Refresh</Button>
          <span class="hidden" role="status">
            {isRefreshed.value && 'The list is up to date.'}
          </span>
        </div>
      )}
      {shown.length > 0 ? <KeyTable environment={environment} keys={shown} onOpen={onOpen} /> : <NoKeys />}
    </>
  );
}

function NoKeys() {
  if (useEnvironment() === 'live')
    return (
      <EmptyState title="There is no active live key.">
        <p>A live key looks up real records, which cost credits.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="There is no active test key.">
      <p>
        A test key works at once. Its records are invented.{' '}
        <a href={documentationUrl(QUICK_START)}>The quick start shows how to use it.</a>
      </p>
      <p>
        <a class="button link" href={documentationUrl(MOVE)}>
          Moving from LumiID, Prembly or Dojah?
        </a>
      </p>
    </EmptyState>
  );
}

/** Reopens the dialog that the person left to sign in again. */
function reopen({ keys }: KeysView, onOpen: (opened: OpenedDialog) => void): void {
  if (keptInput(CREATE_FORM)) onOpen({ is: 'create' });
  for (const key of keys) {
    if (keptInput(editFormOf(key))) onOpen({ is: 'edit', key });
    if (keptInput(rotateFormOf(key))) onOpen({ is: 'rotate', key });
    if (keptInput(revokeFormOf(key))) onOpen({ is: 'revoke', key });
  }
}
