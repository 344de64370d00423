import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { MAX_LABEL_LENGTH } from '../../../../shared/accounts/key-label.ts';
import { OUTCOMES } from '../../../../shared/core/outcome.ts';
import { SERVICE_NAMES } from '../../../../shared/verifications/services.ts';
import { Button } from '../components/button.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { outcomeNames } from '../shared-texts.ts';
import { type Filter, filterOf, isRequestId, withoutApostrophe } from './filter.ts';

interface FilterFormProps {
  readonly filter: Filter;
  /** The days that are shown if the filter has none. */
  readonly days: Pick<Filter, 'from' | 'to'> | undefined;
  readonly onShow: (filter: Filter) => void;
  /** Called if the search text is the ID of a request. */
  readonly onOpen: (id: string) => void;
}

const all = { value: '', label: 'All' };
const SERVICES = [all, ...SERVICE_NAMES.map((value) => ({ value, label: value }))];
const OUTCOME_CHOICES = [all, ...OUTCOMES.map((value) => ({ value, label: outcomeNames[value] }))];

export function FilterForm({ filter, days, onShow, onOpen }: FilterFormProps) {
  const entered = useSignal<Partial<Filter>>({});
  const wanted = { ...filter, ...entered.value };
  const { reference } = wanted;
  const shownDays = { from: filter.from || (days?.from ?? ''), to: filter.to || (days?.to ?? '') };
  // On a phone, the fields would fill the window.
  const isOpen = useMemo(() => {
    const { reference: _, ...others } = filter;
    return Object.values(others).some(Boolean) || matchMedia('(min-width: 48rem)').matches;
  }, []);
  const set = (name: keyof Filter) => (value: string) => {
    entered.value = { ...entered.value, [name]: value };
  };
  const search = () => {
    const id = reference.trim().toLowerCase();
    if (isRequestId(id)) onOpen(id);
    else onShow({ ...wanted, reference: withoutApostrophe(reference) });
  };
  return (
    <search>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <TextField
          name="reference"
          type="search"
          label="Request ID or your reference"
          hint="The complete reference. A request ID such as req_0123456789ab opens the request."
          value={reference}
          maxLength={100}
          isCode
          onInput={set('reference')}
        />
        <MoreFilters input={{ ...wanted, ...shownDays, ...entered.value }} isOpen={isOpen} set={set} />
        <div class="buttons">
          <Button type="submit" kind="primary">
            Search
          </Button>
          {Object.values(filter).some(Boolean) && <Button onClick={() => onShow(filterOf({}))}>Clear</Button>}
        </div>
      </form>
    </search>
  );
}

interface MoreFiltersProps {
  readonly input: Filter;
  readonly isOpen: boolean;
  readonly set: (name: keyof Filter) => (value: string) => void;
}

function MoreFilters({ input, isOpen, set }: MoreFiltersProps) {
  const { service, outcome, key, from, to } = input;
  return (
    <details open={isOpen}>
      <summary>Filters</summary>
      <div class="more">
        <SelectField
          name="service"
          label="Service"
          value={service}
          choices={SERVICES}
          onChange={set('service')}
        />
        <SelectField
          name="outcome"
          label="Outcome"
          value={outcome}
          choices={OUTCOME_CHOICES}
          onChange={set('outcome')}
        />
        <TextField
          name="key"
          label="Key label"
          value={key}
          maxLength={MAX_LABEL_LENGTH}
          onInput={set('key')}
        />
        <TextField name="from" type="date" label="From" value={from} onInput={set('from')} />
        <TextField name="to" type="date" label="To" value={to} onInput={set('to')} />
      </div>
    </details>
  );
}
