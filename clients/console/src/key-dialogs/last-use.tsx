import type { KeyView } from '../../../../shared/console/views.ts';
import { Time } from '../components/time.tsx';
import { keyDialogTexts } from '../texts.ts';

/** Says in a dialog when and from where a key was last used: whether it is still needed. */
export function LastUse({ used: { ending, last_used_at, last_network } }: { readonly used: KeyView }) {
  return (
    <dl class="facts">
      <div>
        <dt>{keyDialogTexts.key}</dt>
        <dd>{keyDialogTexts.ending(ending)}</dd>
      </div>
      <div>
        <dt>{keyDialogTexts.lastUsed}</dt>
        <dd>
          {last_used_at ? (
            <>
              <Time at={last_used_at} as="distance" /> (<Time at={last_used_at} />)
              {last_network && <> {keyDialogTexts.network(last_network)}</>}
            </>
          ) : (
            keyDialogTexts.lastUsedNever
          )}
        </dd>
      </div>
    </dl>
  );
}
