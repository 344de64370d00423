import type { ComponentChildren } from 'preact';

interface FieldProps {
  readonly label: string;
  /** The path of the field in the body of the request. */
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
}

/** The attributes that connect the control of a field with its label, hint and error. */
interface ControlProps {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

function Field({
  label,
  name,
  hint,
  error,
  isOptional,
  children,
}: FieldProps & { readonly children: (control: ControlProps) => ComponentChildren }) {
  const id = `field-${name}`;
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional && <span class="optional"> (optional)</span>}
      </label>
      {hint && (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {children({
        id,
        name,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? 'true' : undefined,
      })}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

export function FieldError({ id, error }: { readonly id: string; readonly error: string | undefined }) {
  return (
    <p class="field-error" id={id} role="alert">
      {error}
    </p>
  );
}

interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'email' | 'search' | 'date';
  readonly autocomplete?: string;
  readonly maxLength?: number;
  /** The number of lines. With more than one, the field is a text area. */
  readonly rows?: number;
  /** Turns off spell checking, for numbers and codes. */
  readonly isCode?: boolean;
  /** Phones show a keyboard with digits. */
  readonly isNumber?: boolean;
  readonly isReadOnly?: boolean;
}

export function TextField({
  value,
  onInput,
  type = 'text',
  autocomplete = 'off',
  maxLength,
  rows = 1,
  isCode,
  isNumber,
  isReadOnly,
  ...field
}: TextFieldProps) {
  const entered = (event: { readonly currentTarget: { readonly value: string } }) =>
    onInput(event.currentTarget.value);
  const options = {
    value,
    maxLength,
    autocomplete,
    onInput: entered,
    spellcheck: !isCode,
    readOnly: isReadOnly,
    inputMode: isNumber ? ('numeric' as const) : undefined,
  };
  return (
    <Field {...field}>
      {(control) =>
        rows > 1 ? (
          <textarea {...control} {...options} rows={rows} />
        ) : (
          // Preact's types distinguish kinds of inputs, but all of these accept the same properties.
          <input {...control} {...options} type={type as 'text'} />
        )
      }
    </Field>
  );
}

interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

interface SelectFieldProps<T extends string> extends FieldProps {
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
}

export function SelectField<T extends string>({ value, choices, onChange, ...field }: SelectFieldProps<T>) {
  const chosen = (label: string) => {
    const choice = choices.find((one) => one.value === label);
    if (choice) onChange(choice.value);
  };
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => chosen(event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckboxProps {
  readonly name: string;
  readonly label: ComponentChildren;
  readonly hint?: string | undefined;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly error?: string | undefined;
}

export function Checkbox({ name, label, hint, isChecked, onChange, error }: CheckboxProps) {
  const id = `field-${name}`;
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="choice">
      <label>
        <input
          type="checkbox"
          id={id}
          name={name}
          checked={isChecked}
          aria-describedby={described || undefined}
          aria-invalid={error ? 'true' : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && <FieldError id={`${id}-error`} error={error} />}
    </div>
  );
}

interface RadioFieldProps<T extends string> {
  readonly legend: string;
  readonly name: string;
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
  readonly error?: string | undefined;
}

export function RadioField<T extends string>({
  legend,
  name,
  value,
  choices,
  onChange,
  error,
}: RadioFieldProps<T>) {
  return (
    <fieldset class="field" aria-describedby={error ? `field-${name}-error` : undefined}>
      <legend>{legend}</legend>
      {choices.map((choice) => {
        const id = `field-${name}-${choice.value}`;
        return (
          <div class="choice" key={choice.value}>
            <label>
              <input
                type="radio"
                id={id}
                name={name}
                checked={choice.value === value}
                aria-describedby={choice.hint ? `${id}-hint` : undefined}
                onChange={() => onChange(choice.value)}
              />
              <span>{choice.label}</span>
            </label>
            {choice.hint && (
              <p class="hint" id={`${id}-hint`}>
                {choice.hint}
              </p>
            )}
          </div>
        );
      })}
      <FieldError id={`field-${name}-error`} error={error} />
    </fieldset>
  );
}
