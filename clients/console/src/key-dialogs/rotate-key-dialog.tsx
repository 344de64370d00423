import type { RotateKeyBody } from '../../../../shared/accounts/console/bodies.ts';
import type { KeyView, NewKeyView } from '../../../../shared/accounts/console/views.ts';
import { HOUR_MS } from '../../../../shared/core/clock.ts';
import { consoleNowMs, send } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { SelectField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { SignInHint } from '../components/sign-in-hint.tsx';
import { useForm } from '../form.ts';
import { rotateFormOf } from '../keys/opened-dialog.ts';
import { LastUse } from './last-use.tsx';

const GRACE_LABELS = {
  '0': 'No time: it stops now',
  '1': '1 hour',
  '24': '24 hours',
  '72': '3 days',
  '168': '7 days',
};

type Grace = keyof typeof GRACE_LABELS;

/** JavaScript puts the whole-number keys of an object in ascending order. */
const GRACE_CHOICES = (Object.keys(GRACE_LABELS) as Grace[]).map((value) => ({
  value,
  label: GRACE_LABELS[value],
}));

/** Returns when the old key stops working: when its grace period ends or it expires, if earlier. Null: at once. */
function endOf({ expires_at }: KeyView, graceHours: number, nowMs: number): string | null {
  if (graceHours === 0) return null;
  const end = new Date(nowMs + graceHours * HOUR_MS).toISOString();
  return expires_at !== null && expires_at < end ? expires_at : end;
}

interface RotateKeyDialogProps {
  readonly rotated: KeyView;
  readonly onRotated: (created: NewKeyView, oldKeyUntil: string | null) => void;
  readonly onClose: () => void;
}

export function RotateKeyDialog({ rotated, onRotated, onClose }: RotateKeyDialogProps) {
  const form = useForm<{ readonly grace_hours: Grace }>(rotateFormOf(rotated), { grace_hours: '24' });
  const { grace_hours } = form.values.value;
  const rotate = async () => {
    const body: RotateKeyBody = { grace_hours: Number(grace_hours) };
    const result = await form.submit(() => send<NewKeyView>('POST', `/keys/${rotated.id}/rotate`, body));
    if (result?.ok) onRotated(result.data, endOf(rotated, body.grace_hours, consoleNowMs()));
  };
  return (
    <Dialog title={`Rotate ${rotated.label}`} onClose={onClose}>
      <Form form={form} action="Rotate key" onSubmit={rotate} onCancel={onClose}>
        <p>
          You get a new key with the same label and limits. Store it on your servers while the old key still
          works.
        </p>
        <LastUse used={rotated} />
        <SelectField
          name="grace_hours"
          label="The old key works for"
          value={grace_hours}
          choices={GRACE_CHOICES}
          error={form.errorOf('grace_hours')}
          onChange={(value) => form.set('grace_hours', value)}
        />
        {rotated.env === 'live' && <SignInHint />}
      </Form>
    </Dialog>
  );
}
