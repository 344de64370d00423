import { COMPANY_TYPES } from '../../../../shared/core/id-types.ts';
import { numberFormat } from '../../../../shared/core/numbers.ts';
import { SelectField, TextField } from '../components/field.tsx';
import type { Form } from '../form.ts';
import { playgroundTexts as texts } from '../texts.ts';
import { endingOf, exampleOf, FOUND, GATEWAY, SLIP, type TestInput, typeOf, withEnding } from './request.ts';

interface RequestFieldsProps {
  readonly form: Form<TestInput>;
}

type Choices<T extends string> = Readonly<Record<T, string>>;

function choicesOf<T extends string>(labels: Choices<T>) {
  return Object.entries<string>(labels).map(([value, label]) => ({ value: value as T, label }));
}

/** The service, the number and what else the service accepts. */
export function RequestFields({ form }: RequestFieldsProps) {
  const input = form.values.value;
  const type = typeOf(input);
  const { text } = numberFormat(type);
  const ending = endingOf(input.number);
  const known = Object.keys(texts.endings).includes(ending);
  /** Keeps the ending, so that an outcome can be compared between services. */
  const change = (next: Partial<TestInput>) => {
    const changed = { ...input, ...next };
    const number =
      typeOf(changed) === type ? input.number : exampleOf(typeOf(changed), known ? ending : FOUND);
    form.values.value = { ...changed, number };
  };
  const choice = <K extends 'id_type' | 'level' | 'method' | 'slip_type'>(
    name: K,
    labels: Choices<TestInput[K]>,
  ) => (
    <SelectField<TestInput[K]>
      name={name}
      label={texts.labels[name]}
      value={input[name]}
      choices={choicesOf(labels)}
      onChange={(value) => change({ [name]: value })}
    />
  );
  return (
    <>
      <SelectField
        name="service"
        label={texts.labels.service}
        value={input.service}
        choices={choicesOf(texts.services)}
        onChange={(service) => change({ service })}
      />
      {input.service === GATEWAY && (
        <>
          {choice('id_type', texts.types)}
          {choice('level', texts.levels)}
          {choice('method', texts.methods)}
        </>
      )}
      <SelectField
        name="ending"
        label={texts.labels.ending}
        hint={texts.endingHint}
        value={known ? ending : ''}
        choices={[...choicesOf(texts.endings), { value: '', label: texts.anyNumber }]}
        onChange={(value) => form.set('number', withEnding(input.number, value || '4321'))}
      />
      <Text form={form} name="number" hint={texts.numberHint(text)} isCode />
      {input.service === SLIP && choice('slip_type', texts.slips)}
      {type === 'CAC' && (
        <SelectField
          name="company_type"
          label={texts.labels.company_type}
          hint={texts.companyHint}
          value={input.company_type}
          choices={['', ...COMPANY_TYPES].map((value) => ({ value, label: value || texts.inNumber }))}
          onChange={(value) => form.set('company_type', value)}
        />
      )}
      {type === 'NUBAN' && <Text form={form} name="bank_code" hint={texts.bankHint} isCode isOptional />}
      <details>
        <summary>{texts.more}</summary>
        <Text form={form} name="reference" hint={texts.referenceHint} isOptional />
        <Text form={form} name="consent" hint={texts.consentHint} isOptional />
        <Text form={form} name="reason" isOptional />
      </details>
    </>
  );
}

interface TextProps extends RequestFieldsProps {
  readonly name: 'number' | 'bank_code' | 'reference' | 'consent' | 'reason';
  readonly hint?: string;
  readonly isCode?: boolean;
  readonly isOptional?: boolean;
}

function Text({ form, name, ...options }: TextProps) {
  return (
    <TextField
      {...options}
      name={name}
      label={texts.labels[name]}
      value={form.values.value[name]}
      maxLength={200}
      onInput={(value) => form.set(name, value)}
    />
  );
}
