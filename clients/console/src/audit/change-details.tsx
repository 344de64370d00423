import type { ChangeView } from '../../../../shared/audit/console/views.ts';
import { auditTexts } from '../texts.ts';

/** Says what was done. If there is no text for the action, returns its recorded name. */
export function actionText(action: string): string {
  return auditTexts.actions[action] ?? action;
}

/** The values before and after a change, and the details that identify it. */
export function ChangeDetails({ change }: { readonly change: ChangeView }) {
  const { id, action, before, after, request_id } = change;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <details>
      <summary>
        {auditTexts.showDetails}
        <span class="hidden"> {auditTexts.aboutChange(actionText(action))}</span>
      </summary>
      <dl class="facts">
        {fields.map((field) => (
          <div key={field}>
            <dt>
              <code>{field}</code>
            </dt>
            <dd>
              {before && <Value label={auditTexts.before} value={before[field]} />}
              {after && <Value label={auditTexts.after} value={after[field]} />}
            </dd>
          </div>
        ))}
        <div>
          <dt>{auditTexts.action}</dt>
          <dd>
            <code>{action}</code>
          </dd>
        </div>
        {request_id && (
          <div>
            <dt>{auditTexts.request}</dt>
            <dd>
              <code>{request_id}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>{auditTexts.change}</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </div>
      </dl>
    </details>
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
  if (value === null || value === undefined || value === '') return auditTexts.noValue;
  if (Array.isArray(value)) return value.length > 0 ? value.map(valueText).join(', ') : auditTexts.noValue;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
