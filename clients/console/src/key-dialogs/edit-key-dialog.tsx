import type { KeyView } from '../../../../shared/accounts/console/views.ts';
import { send } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { SignInHint } from '../components/sign-in-hint.tsx';
import { useForm } from '../form.ts';
import { editFormOf } from '../keys/opened-dialog.ts';
import { KeyFields, lacksScopes } from './create-key-dialog.tsx';
import { changesOf, type EditInput, editBodyOf, type KeyInput } from './key-input.ts';
import { LastUse } from './last-use.tsx';

interface EditKeyDialogProps {
  readonly edited: KeyView;
  readonly scopes: readonly string[];
  readonly onEdited: (edited: KeyView) => void;
  readonly onClose: () => void;
}

export function EditKeyDialog({ edited, scopes, onEdited, onClose }: EditKeyDialogProps) {
  const shown: KeyInput = {
    env: edited.env,
    label: edited.label,
    permissions: edited.scopes ? 'chosen' : 'all',
    scopes: edited.scopes ?? [],
    addresses: edited.addresses?.join('\n') ?? '',
    expires_in_days: undefined,
  };
  const form = useForm<EditInput>(editFormOf(edited), { ...shown, before: editBodyOf(shown) });
  const edit = async () => {
    if (lacksScopes(form)) return;
    const body = changesOf(form.values.value);
    const result = await form.submit(() => send<KeyView>('PUT', `/keys/${edited.id}`, body));
    if (result?.ok) onEdited(result.data);
  };
  return (
    <Dialog title={`Edit ${edited.label}`} onClose={onClose}>
      <Form form={form} action="Save" onSubmit={edit} onCancel={onClose}>
        <p>The key itself stays the same. New limits apply from its next request.</p>
        <LastUse used={edited} />
        <KeyFields form={form} scopes={scopes} edited={edited} />
        {edited.env === 'live' && <SignInHint />}
      </Form>
    </Dialog>
  );
}
