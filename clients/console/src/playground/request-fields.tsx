import { COMPANY_TYPES } from '../../../../shared/core/id-types.ts';
import { numberFormat } from '../../../../shared/core/numbers.ts';
import { endingOf, withEnding } from '../../../../shared/registries/sandbox/protocol.ts';
import { Checkbox, SelectField, TextField } from '../components/field.tsx';
import type { Form } from '../form.ts';
import {
  CHOICES,
  ENDINGS,
  exampleOf,
  FOUND,
  GATEWAY,
  isOfPerson,
  SLIP,
  type TestInput,
  typeOf,
} from './request.ts';

const LABELS = {
  service: 'Service',
  id_type: 'ID type',
  level: 'Level',
  method: 'Method',
  slip_type: 'Slip',
  ending: 'Outcome',
  number: 'Number',
  company_type: 'Company type',
  bank_code: 'Bank code',
  firstname: 'First name',
  lastname: 'Last name',
  birthdate: 'Date of birth (DD-MM-YYYY)',
  phone: 'Phone number',
  reference: 'Your reference',
  consent: 'Consent',
  reason: 'Reason',
};

interface RequestFieldsProps {
  readonly form: Form<TestInput>;
}

const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

export function RequestFields({ form }: RequestFieldsProps) {
  const input = form.values.value;
  const type = typeOf(input);
  const choice = (name: ChoiceName) => <ChoiceField form={form} name={name} />;
  return (
    <>
      {choice('service')}
      {input.service === GATEWAY && [choice('id_type'), choice('level'), choice('method')]}
      <NumberFields form={form} />
      {input.service === SLIP && choice('slip_type')}
      {type === 'CAC' && (
        <SelectField
          name="company_type"
          label={LABELS.company_type}
          hint="Required unless the number begins with it."
          value={input.company_type}
          choices={['', ...COMPANY_TYPES].map((value) => ({
            value,
            label: value || 'Included in the number',
          }))}
          onChange={(value) => form.set('company_type', value)}
        />
      )}
      {type === 'NUBAN' && (
        <Text form={form} name="bank_code" hint="Such as 058. Required in live requests." isCode />
      )}
      {isOfPerson(input) && <MatchFields form={form} />}
      <details>
        <summary>Reference, consent and reason</summary>
        <Text form={form} name="reference" hint="To find the request later." />
        <Text form={form} name="consent" hint="Your reference for the person’s consent." />
        <Text form={form} name="reason" />
      </details>
    </>
  );
}

const MATCH_FIELDS = ['firstname', 'lastname', 'birthdate', 'phone'] as const;

function MatchFields({ form }: RequestFieldsProps) {
  const { service, match_only } = form.values.value;
  return (
    <details>
      <summary>Match a person</summary>
      {MATCH_FIELDS.map((name) => (
        <Text key={name} form={form} name={name} />
      ))}
      {service !== SLIP && (
        <Checkbox
          name="match_only"
          label="Only the result, no record"
          isChecked={match_only}
          onChange={(isChecked) => form.set('match_only', isChecked)}
        />
      )}
    </details>
  );
}

function NumberFields({ form }: RequestFieldsProps) {
  const { number } = form.values.value;
  const { text } = numberFormat(typeOf(form.values.value));
  const ending = endingOf(number);
  return (
    <>
      <SelectField
        name="ending"
        label={LABELS.ending}
        hint="The last four digits of the number select it."
        value={ending in ENDINGS ? ending : ''}
        choices={[
          ...choicesOf(ENDINGS).map(({ value, label }) => ({
            value,
            label: `${label} (…${value})`,
          })),
          { value: '', label: 'Any other number: found' },
        ]}
        onChange={(value) => form.set('number', withEnding(number, value || '4321'))}
      />
      <Text form={form} name="number" hint={`${text.charAt(0).toUpperCase()}${text.slice(1)}.`} isCode />
    </>
  );
}

type ChoiceName = 'service' | 'id_type' | 'level' | 'method' | 'slip_type';

function ChoiceField({ form, name }: RequestFieldsProps & { readonly name: ChoiceName }) {
  const input = form.values.value;
  /** Keeps the ending, so that an outcome can be compared between services. */
  const change = (value: string) => {
    const changed: TestInput = { ...input, [name]: value };
    const [before, after] = [typeOf(input), typeOf(changed)];
    const ending = endingOf(input.number);
    const number = exampleOf(after, ending in ENDINGS ? ending : FOUND);
    form.values.value = { ...changed, number: before === after ? input.number : number };
  };
  return (
    <SelectField
      key={name}
      name={name}
      label={LABELS[name]}
      value={input[name]}
      choices={choicesOf(CHOICES[name])}
      onChange={change}
    />
  );
}

type Texts = Omit<TestInput, ChoiceName | 'match_only'>;

interface TextProps extends RequestFieldsProps {
  readonly name: keyof typeof LABELS & keyof Texts;
  readonly hint?: string;
  readonly isCode?: boolean;
}

function Text({ form, name, ...options }: TextProps) {
  return (
    <TextField
      {...options}
      name={name}
      label={LABELS[name]}
      isOptional={name !== 'number'}
      value={form.values.value[name]}
      maxLength={200}
      onInput={(value) => form.set(name, value)}
    />
  );
}
