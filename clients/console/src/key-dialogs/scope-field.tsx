import { Checkbox, FieldError, RadioField } from '../components/field.tsx';
import { KEY_LIMITS } from '../documentation.ts';
import type { Form } from '../form.ts';
import { scopeTexts } from '../scope-texts.ts';
import { documentationUrl } from '../session.ts';
import type { KeyInput } from './key-input.ts';
import { isCovered, scopeGroups, wideScopes, withScope } from './scope-groups.ts';

const PERMISSION_CHOICES = {
  all: { label: 'Everything except payments', hint: 'Including services that you enable later.' },
  chosen: { label: 'Only what I choose', hint: 'Safer: a stolen key can do less.' },
};

interface ScopeFieldProps {
  readonly form: Form<KeyInput>;
  readonly scopes: readonly string[];
}

/**
 * The choice of what the new key may do: everything except payments, or chosen scopes. The guide opens in another tab,
 * because otherwise the dialog would lose its input.
 */
export function ScopeField({ form, scopes }: ScopeFieldProps) {
  const { permissions } = form.values.value;
  return (
    <>
      <RadioField
        name="permissions"
        legend="Scopes: what may the key do?"
        value={permissions}
        choices={(['all', 'chosen'] as const).map((value) => ({
          value,
          ...PERMISSION_CHOICES[value],
        }))}
        onChange={(choice) => form.set('permissions', choice)}
      />
      <p class="hint">
        <a class="button link" href={documentationUrl(KEY_LIMITS)} target="_blank" rel="noopener">
          About scopes and IP addresses (new tab)
        </a>
      </p>
      {permissions === 'chosen' && (
        <div class="nested">
          <FieldError id="field-scopes-error" error={form.errorOf('scopes')} />
          <ScopeList form={form} scopes={scopes} />
        </div>
      )}
    </>
  );
}

function ScopeList({ form, scopes }: ScopeFieldProps) {
  const chosen = form.values.value.scopes;
  const shown = scopes.filter((scope) => !isCovered(scope, chosen));
  const checkbox = (scope: string) => (
    <Checkbox
      key={scope}
      name={`scope-${scope}`}
      label={scopeTexts[scope]?.name ?? scope}
      hint={scopeTexts[scope]?.hint}
      isChecked={chosen.includes(scope)}
      onChange={(isChosen) => form.set('scopes', withScope(chosen, scope, isChosen))}
    />
  );
  return (
    <>
      {wideScopes(shown).map(checkbox)}
      {scopeGroups(shown).map(([group, members]) => (
        <fieldset key={group}>
          <legend>{group === 'account' ? 'Wallet and log' : group}</legend>
          {members.map(checkbox)}
        </fieldset>
      ))}
    </>
  );
}
