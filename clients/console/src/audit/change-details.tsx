import type { ChangeView } from '../../../../shared/audit/console/views.ts';
import { ShowMore } from '../components/show-more.tsx';

export function ChangeDetails({ change }: { readonly change: ChangeView }) {
  const { id, action_text, before, after, request_id } = change;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <ShowMore what={<span class="hidden"> details of {action_text}</span>}>
      <dl class="facts">
        {fields.map((field) => (
          <div key={field}>
            <dt>
              <code>{field}</code>
            </dt>
            <dd>
              {before && <Value label="Before" value={before[field]} />}
              {after && <Value label="After" value={after[field]} />}
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

function Value({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <span class="block">
      <span class="small">{label}:</span> {valueText(value)}
    </span>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value)) return value.length > 0 ? value.map(valueText).join(', ') : 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
