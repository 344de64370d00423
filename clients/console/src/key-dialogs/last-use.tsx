import type { KeysView, KeyView } from '../../../../shared/accounts/console/views.ts';
import { Time } from '../components/time.tsx';
import { useData } from '../loaded-data.ts';

/**
 * Shows in a dialog when and from where a key was last used, so that the person can judge whether it is still needed.
 * The list may be out of date, so the dialog reads the last use again. Until the response arrives, it shows the last
 * use from the list.
 */
export function LastUse({ used }: { readonly used: KeyView }) {
  const current = useData<KeysView>('/keys').state.value;
  const read = current.is === 'loaded' ? current.value.keys.find(({ id }) => id === used.id) : undefined;
  const { ending, last_used_at, last_network } = read ?? used;
  return (
    <dl class="facts">
      <div>
        <dt>API key</dt>
        <dd>ends in {ending}</dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>
          {last_used_at ? (
            <>
              <Time at={last_used_at} as="distance" /> (<Time at={last_used_at} />)
              {last_network && <> from {last_network}</>}
            </>
          ) : (
            'This key has never been used.'
          )}
        </dd>
      </div>
    </dl>
  );
}
