import type { KeyView } from '../../../../shared/accounts/console/views.ts';
import type { Environment } from '../../../../shared/core/environment.ts';
import { Button } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { scopeTexts } from '../scope-texts.ts';
import { mayManage } from '../session.ts';
import { environmentNames, sharedTexts } from '../shared-texts.ts';
import { isLive } from './key-rights.ts';
import { rangeText } from './range-texts.ts';

const STATES = { active: '', expiring: 'Replaced', expired: 'Expired', revoked: 'Revoked' };

interface KeyTableProps {
  readonly environment: Environment;
  readonly keys: readonly KeyView[];
  readonly onOpen: OpenKey;
}

type OpenKey = (opened: { readonly is: 'edit' | 'rotate' | 'revoke'; readonly key: KeyView }) => void;

export function KeyTable({ environment, keys, onOpen }: KeyTableProps) {
  const columns: readonly Column<KeyView>[] = [
    { head: 'Label', cell: (key) => <Label listed={key} /> },
    { head: 'Last used', cell: (key) => <LastUsed used={key} /> },
    { head: 'Expires', cell: (key) => <Expiry listed={key} /> },
    { head: 'Limits', cell: (key) => <Limits listed={key} /> },
  ];
  const actions: Column<KeyView> = {
    head: 'Actions',
    kind: 'actions',
    cell: (key) => isLive(key) && <Actions listed={key} onOpen={onOpen} />,
  };
  return (
    <DataTable
      caption={`API keys, ${environmentNames[environment]}`}
      columns={mayManage(environment) ? [...columns, actions] : columns}
      rows={keys}
      keyOf={({ id }) => id}
    />
  );
}

/** Preact reserves `key`, so components have other names for this property. */
function Label({ listed: { label, ending, status, created_at, created_by } }: { readonly listed: KeyView }) {
  return (
    <div>
      <span class="name">{label}</span> {status !== 'active' && <span class="badge">{STATES[status]}</span>}
      <span class="small block">
        ends in {ending}, created by {created_by ?? 'the operator'}, <Time at={created_at} as="day" />
      </span>
    </div>
  );
}

function LastUsed({ used: { last_used_at, last_network } }: { readonly used: KeyView }) {
  if (!last_used_at) return <>Never</>;
  return (
    <>
      <Time at={last_used_at} as="distance" />
      {last_network && <span class="small block">from {last_network}</span>}
    </>
  );
}

function Expiry({ listed: { expires_at, status } }: { readonly listed: KeyView }) {
  if (!expires_at) return <>{sharedTexts.never}</>;
  const at = <Time at={expires_at} as={status === 'expiring' ? 'time' : 'day'} />;
  if (status === 'expiring') return <>Stops working {at}</>;
  return at;
}

/** If a key has more addresses and networks than this, only their number is shown until the person opens the list. */
const FEW = 2;

function Limits({ listed: { scopes, addresses } }: { readonly listed: KeyView }) {
  const names = scopes?.map((scope) => scopeTexts[scope]?.name ?? scope);
  return (
    <>
      {names?.join(', ') ?? 'Everything except payments'}
      {addresses && addresses.length <= FEW && (
        <span class="small block">Only from {addresses.map(rangeText).join(', ')}</span>
      )}
      {addresses && addresses.length > FEW && (
        <details class="small">
          <summary>Only from {addresses.length} addresses and networks</summary>
          <ul>
            {addresses.map((address) => (
              <li key={address}>{rangeText(address)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Actions({ listed, onOpen }: { readonly listed: KeyView; readonly onOpen: OpenKey }) {
  const about = `the key ${listed.label}, which ends in ${listed.ending}`;
  const button = (is: 'edit' | 'rotate' | 'revoke', text: string) => (
    <Button
      kind={is === 'revoke' ? 'removal' : 'plain'}
      about={about}
      onClick={() => onOpen({ is, key: listed })}
    >
      {text}
    </Button>
  );
  return (
    <>
      {button('edit', 'Edit')}
      {listed.status === 'active' && button('rotate', 'Rotate')}
      {button('revoke', 'Revoke')}
    </>
  );
}
