import { CATALOGUE } from '../../shared/core/errors.ts';
import { BANKS } from '../../shared/registries/mapping/banks.ts';
import { CULTURES, NAMES } from '../../shared/registries/sandbox/names.ts';
import { PREFIXES } from '../../shared/registries/sandbox/person.ts';
import { SIMULATED_ENDINGS } from '../../shared/registries/sandbox/protocol.ts';
import { STREETS, TOWNS } from '../../shared/registries/sandbox/towns.ts';
import { SAMPLE_DATA } from '../../shared/webhooks/event-sample.ts';
import { local } from '../stages/local.ts';

/**
 * Returns the text of the Python client's _service_data.json: what its fake knows of the service and the sandbox. The
 * TypeScript client's fake contains their code.
 */
export function pythonFakeData(): string {
  const errors = Object.entries(CATALOGUE).map(([code, { status, message, details }]) => [
    code,
    { status, message, ...(details && { error: details }) },
  ]);
  const banks = BANKS.map(({ name, shortName, kind, cbnCode, nipCode, providerCodes }) => ({
    ...{ name, short_name: shortName, kind },
    ...{ cbn_code: cbnCode, nip_code: nipCode, provider_codes: providerCodes },
  }));
  const people = CULTURES.map((culture) => ({ ...NAMES[culture], towns: TOWNS[culture] }));
  const data = {
    errors: Object.fromEntries(errors),
    endings: Object.fromEntries(Object.entries(SIMULATED_ENDINGS).map(([code, ending]) => [ending, code])),
    credits: [local.money?.leastCredits, local.money?.mostCredits],
    people,
    streets: STREETS,
    prefixes: PREFIXES,
    events: SAMPLE_DATA,
    banks,
  };
  const lines = Object.entries(data).map(([name, value]) => `${JSON.stringify(name)}: ${linesOf(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** One line for each entry, so that a difference shows what changed. */
function linesOf(value: object): string {
  const entries = Object.entries(value).map(([name, one]) =>
    Array.isArray(value) ? JSON.stringify(one) : `${JSON.stringify(name)}: ${JSON.stringify(one)}`,
  );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${entries.join(',\n')}\n${close}`;
}
