import { useSignal } from '@preact/signals';
import type { OrganisationStatus } from '../../../../shared/accounts/console/views.ts';
import type { SubmitBody, UpdateOrganisationBody } from '../../../../shared/profiles/console/bodies.ts';
import type {
  CheckView,
  OrganisationView,
  ProfileFields,
} from '../../../../shared/profiles/console/views.ts';
import { send } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Checkbox, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Data, Page } from '../components/page.tsx';
import { SignInHint } from '../components/sign-in-hint.tsx';
import { Time } from '../components/time.tsx';
import { type Form as FormState, useForm } from '../form.ts';
import { type LoadedData, useData } from '../loaded-data.ts';
import { loadSession, session } from '../session.ts';
import { pageTitles } from '../shared-texts.ts';

const STATUS_NAMES = {
  PENDING: 'Not submitted',
  SUBMITTED: 'Waiting for approval',
  APPROVED: 'Approved',
  SUSPENDED: 'Suspended',
} satisfies Record<OrganisationStatus, string>;

export default function Organisation() {
  const data = useData<OrganisationView>('/organisation');
  return (
    <Page
      title={pageTitles.organisation}
      lead="The profile of your organisation. It must be approved before live requests work."
    >
      <Data data={data}>{(view) => <Content view={view} data={data} />}</Data>
    </Page>
  );
}

interface ContentProps {
  readonly view: OrganisationView;
  readonly data: LoadedData<OrganisationView>;
}

const STATUS_BADGES = {
  PENDING: 'plain',
  SUBMITTED: 'warning',
  APPROVED: 'good',
  SUSPENDED: 'bad',
} as const satisfies Record<OrganisationStatus, string>;

function Content({ view, data }: ContentProps) {
  const form = useForm<Input>('profile', inputOf(view.profile), true);
  const isChanged = JSON.stringify(form.values.value) !== JSON.stringify(inputOf(view.profile));
  return (
    <div class="form-page">
      <h2 class="with-badge">
        <span>{view.name}</span>
        <Badge kind={STATUS_BADGES[view.status]}>{STATUS_NAMES[view.status]}</Badge>
      </h2>
      {view.status === 'SUBMITTED' && (
        <Notice kind="information">
          We are checking the organisation. You can still correct the profile. If you change a number, submit
          the profile again.
        </Notice>
      )}
      <Profile view={view} data={data} form={form} isChanged={isChanged} />
      <Approval view={view} data={data} isChanged={isChanged} />
    </div>
  );
}

/** The profile as people enter it. The names are the same as in the request body, and the address is one string. */
interface Input {
  readonly company_number: string;
  readonly tax_number: string;
  readonly address: string;
  readonly billing_contact: Contact;
  readonly privacy_contact: Contact;
}
type Contact = ProfileFields['billing_contact'];

const NO_CONTACT: Contact = { name: '', email: '' };

function inputOf(profile: ProfileFields | null): Input {
  return {
    company_number: profile?.company_number ?? '',
    tax_number: profile?.tax_number ?? '',
    address: profile?.address.join('\n') ?? '',
    billing_contact: profile?.billing_contact ?? NO_CONTACT,
    privacy_contact: profile?.privacy_contact ?? NO_CONTACT,
  };
}

function bodyOf(input: Input, version: number): UpdateOrganisationBody {
  const lines = input.address.split('\n').map((line) => line.trim());
  return { ...input, address: lines.filter(Boolean), version };
}

// The profile.

interface ProfileProps extends ContentProps {
  readonly form: FormState<Input>;
  readonly isChanged: boolean;
}

function Profile({ view, data, form, isChanged }: ProfileProps) {
  const isSaved = useSignal(false);
  const save = async () => {
    isSaved.value = false;
    const body = bodyOf(form.values.value, view.version);
    const result = await form.submit(() => send<OrganisationView>('PUT', '/organisation', body));
    if (!result?.ok) return;
    data.replace(result.data);
    // Shows the numbers in the form in which they were stored.
    form.reset(inputOf(result.data.profile));
    isSaved.value = true;
  };
  return (
    <Form
      form={form}
      action="Save the profile"
      kind={isChanged || !view.profile ? 'primary' : 'plain'}
      onSubmit={save}
    >
      <Numbers view={view} form={form} />
      <fieldset class="card">
        <legend class="hidden">Address</legend>
        <TextField
          name="address"
          label="Address"
          hint="At most 6 lines."
          rows={4}
          autocomplete="street-address"
          value={form.values.value.address}
          error={form.errorOf('address')}
          onInput={(address) => form.set('address', address)}
        />
      </fieldset>
      <ContactFields
        form={form}
        name="billing_contact"
        legend="Contact for billing"
        hint="For questions about invoices."
      />
      <ContactFields
        form={form}
        name="privacy_contact"
        legend="Contact for data protection"
        hint="Answers questions from people whose data you verify."
      />
      <SignInHint />
      {form.problem.value?.code === 'CHANGED_MEANWHILE' && (
        <Button
          onClick={() => {
            form.reset();
            location.reload();
          }}
        >
          Discard my changes and reload
        </Button>
      )}
      {isSaved.value && !isChanged && <Notice kind="success">The profile was saved.</Notice>}
    </Form>
  );
}

interface FieldsProps {
  readonly form: FormState<Input>;
}

function Numbers({ view, form }: FieldsProps & { readonly view: OrganisationView }) {
  return (
    <fieldset class="card">
      <legend class="hidden">Numbers</legend>
      {view.status === 'PENDING' && (
        <p class="hint before-fields">
          The numbers are looked up in their registries when you submit the profile.
        </p>
      )}
      <NumberField
        view={view}
        form={form}
        name="company_number"
        label="Company number"
        hint="The registration number from the Corporate Affairs Commission, such as RC1234567."
        check={view.checks.company}
      />
      <NumberField
        view={view}
        form={form}
        name="tax_number"
        label="Tax number"
        hint="The organisation’s tax number (TIN)."
        check={view.checks.tax}
      />
    </fieldset>
  );
}

interface NumberFieldProps extends FieldsProps {
  readonly view: OrganisationView;
  readonly name: 'company_number' | 'tax_number';
  readonly label: string;
  readonly hint: string;
  readonly check: CheckView | null;
}

/** A number with the result of its last look-up, which is shown until the number is changed. */
function NumberField({ view, form, name, label, hint, check }: NumberFieldProps) {
  const value = form.values.value[name];
  const shown = value === view.profile?.[name] ? check : null;
  const isFixed = view.status === 'APPROVED';
  return (
    <>
      <TextField
        name={name}
        label={label}
        hint={isFixed ? 'This number cannot be changed after approval. Contact support.' : hint}
        isReadOnly={isFixed}
        isCode
        value={value}
        error={
          form.errorOf(name) ??
          (shown?.result === 'NOT_FOUND'
            ? 'Not found. Correct the number, save the profile, then submit it again.'
            : undefined)
        }
        onInput={(entered) => form.set(name, entered)}
      />
      {shown && <CheckResult check={shown} isApproved={isFixed} />}
    </>
  );
}

interface CheckResultProps {
  readonly check: CheckView;
  readonly isApproved: boolean;
}

/** The result of a look-up, except NOT_FOUND, which is an error of the field. After approval, nothing is left to check. */
function CheckResult({ check: { result, is_name_equal }, isApproved }: CheckResultProps) {
  if (result === 'FOUND' && (isApproved || is_name_equal !== false))
    return (
      <p class="check good-text">
        {is_name_equal ? 'Registered under the name of the organisation.' : 'Registered.'}
      </p>
    );
  if (result === 'NOT_FOUND' || isApproved) return null;
  return (
    <p class="check warning-text">
      {result === 'FOUND'
        ? 'Registered under a different name. We will check it.'
        : 'The number could not be looked up. We will check it ourselves.'}
    </p>
  );
}

interface ContactFieldsProps extends FieldsProps {
  readonly name: 'billing_contact' | 'privacy_contact';
  readonly legend: string;
  readonly hint: string;
}

function ContactFields({ form, name, legend, hint }: ContactFieldsProps) {
  const contact = form.values.value[name];
  return (
    <fieldset class="card" aria-describedby={`${name}-hint`}>
      <legend>{legend}</legend>
      <p class="hint before-fields" id={`${name}-hint`}>
        {hint}
      </p>
      <TextField
        name={`${name}.name`}
        label="Name"
        value={contact.name}
        error={form.errorOf(`${name}.name`)}
        onInput={(value) => form.set(name, { ...contact, name: value })}
      />
      <TextField
        name={`${name}.email`}
        type="email"
        label="Email address"
        value={contact.email}
        error={form.errorOf(`${name}.email`)}
        onInput={(value) => form.set(name, { ...contact, email: value })}
      />
    </fieldset>
  );
}

// Terms and submission.

interface ApprovalProps extends ContentProps {
  readonly isChanged: boolean;
}

function Approval({ view, data, isChanged }: ApprovalProps) {
  const { profile, accepted_terms, status } = view;
  const isSaved = profile !== null && !isChanged;
  return (
    <section class="card section" aria-labelledby="terms">
      <h2 id="terms">Terms and approval</h2>
      {accepted_terms && (
        <p>
          Version {accepted_terms.version} of the terms was accepted on{' '}
          <Time at={accepted_terms.accepted_at} as="day" />.
        </p>
      )}
      {status === 'PENDING' && !isSaved && (
        <p class="hint">Save the profile first. Then you can submit it.</p>
      )}
      {status === 'PENDING' && isSaved && <Submission view={view} data={data} />}
    </section>
  );
}

function Submission({ view, data }: ContentProps) {
  const form = useForm('submit-organisation', { terms_version: false });
  const { version = '', url = '' } = session.value?.terms ?? {};
  const submit = async () => {
    if (!form.values.value.terms_version) return form.reject('terms_version', 'Accept the terms to submit.');
    const body: SubmitBody = { terms_version: version, version: view.version };
    const result = await form.submit(() => send<OrganisationView>('POST', '/organisation/submit', body));
    if (result?.ok === false && result.problem.code === 'PROFILE_INCOMPLETE') await data.reload();
    if (!result?.ok) return;
    data.replace(result.data);
    await loadSession();
  };
  return (
    <Form form={form} action="Submit for approval" onSubmit={submit}>
      <p>
        <a class="button link" href={url} target="_blank" rel="noreferrer">
          Terms, version {version}
        </a>
      </p>
      <Checkbox
        name="terms_version"
        label={`I accept the terms, version ${version}, for the organisation`}
        isChecked={form.values.value.terms_version}
        error={form.errorOf('terms_version')}
        onChange={(isAccepted) => form.set('terms_version', isAccepted)}
      />
    </Form>
  );
}
