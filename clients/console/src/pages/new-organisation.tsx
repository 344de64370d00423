import { useLocation } from 'preact-iso/router';
import type { CreateOrganisationBody } from '../../../../shared/members/console/bodies.ts';
import type { SessionView } from '../../../../shared/members/console/views.ts';
import { send } from '../api.ts';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { useForm } from '../form.ts';
import { session } from '../session.ts';

export default function NewOrganisation() {
  const { route } = useLocation();
  const form = useForm<CreateOrganisationBody>('create-organisation', { name: '' });
  const create = async () => {
    const body = form.values.value;
    const result = await form.submit(() => send<SessionView>('POST', '/organisations', body));
    if (!result?.ok) return;
    session.value = result.data;
    // The first steps are test credits and a test key.
    route('/?env=test');
  };
  return (
    <div class="single">
      <Page
        title="Create an organisation"
        lead="You will be its owner and can invite others. If you were invited to an existing organisation, open the link in the email instead."
      >
        <Form form={form} action="Create the organisation" onSubmit={create}>
          <TextField
            name="name"
            label="Name of the organisation"
            hint="The name that members see. You enter the company number later."
            autocomplete="organization"
            maxLength={100}
            value={form.values.value.name}
            error={form.errorOf('name')}
            onInput={(name) => form.set('name', name)}
          />
        </Form>
      </Page>
    </div>
  );
}
