import type { ChangeView } from '../../../../shared/audit/console/views.ts';
import { ShowMore } from '../components/show-more.tsx';
import { labelOf, valueText } from './fields.ts';

export function ChangeDetails({ change }: { readonly change: ChangeView }) {
  const { id, action_text, before, after, request_id } = change;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <ShowMore what={<span class="hidden"> details of {action_text}</span>}>
      <dl class="facts">
        {fields.map((field) => (
          <div key={field}>
            <dt>{labelOf(field, (after ?? before)?.[field])}</dt>
            <dd>
              {field === 'changed' ? (
                valueText(field, after?.[field])
              ) : (
                <>
                  {before && <Value label="Before" text={valueText(field, before[field])} />}
                  {after && <Value label="After" text={valueText(field, after[field])} />}
                </>
              )}
            </dd>
          </div>
        ))}
        {request_id && (
          <div>
            <dt>Request ID</dt>
            <dd>
              <code>{request_id}</code>
              <span class="small block">Send it to support if you have a question about this change.</span>
            </dd>
          </div>
        )}
        <div>
          <dt>Change ID</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </div>
      </dl>
    </ShowMore>
  );
}

function Value({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <span class="block">
      <span class="small">{label}:</span> {text}
    </span>
  );
}
