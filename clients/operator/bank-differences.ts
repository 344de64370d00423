import * as v from 'valibot';
import { BANKS, bankByCode } from '../../shared/registries/mapping/banks.ts';

/** How a list of banks in Paystack's format (GET https://api.paystack.co/bank) differs from the service's. */
interface BankDifferences {
  /** Banks that are live in the file, with a code that no bank of the service has. */
  readonly added: readonly ListedBank[];
  /** Banks of the service that the file marks as inactive or deleted. */
  readonly closed: readonly ListedBank[];
  /** Banks of the service whose Paystack code is not in the file. */
  readonly gone: readonly ListedBank[];
}

const listedBank = v.object({
  name: v.string(),
  code: v.string(),
  active: v.optional(v.boolean(), true),
  is_deleted: v.nullish(v.boolean(), false),
  /** Paystack serves other countries too. */
  country: v.optional(v.string(), 'Nigeria'),
});
type ListedBank = Pick<v.InferOutput<typeof listedBank>, 'name' | 'code'>;
const list = v.union([
  v.array(listedBank),
  v.pipe(
    v.object({ data: v.array(listedBank) }),
    v.transform(({ data }) => data),
  ),
]);

/** Compares the response of Paystack, or only its list. Throws if the text has a different format. */
export function bankDifferences(text: string): BankDifferences {
  const parsed = v.safeParse(list, parse(text));
  if (!parsed.success)
    throw new Error(
      'The file is not a list of banks in the format of Paystack: objects with name, code, active and is_deleted.',
    );
  const listed = parsed.output.filter(({ country }) => country === 'Nigeria');
  const live = listed.filter(({ active, is_deleted: isDeleted }) => active && !isDeleted);
  const isIn = (banks: readonly ListedBank[], code: string) => banks.some((bank) => bank.code === code);
  const ours = BANKS.flatMap(({ name, providerCodes: { paystack: code } }) => (code ? [{ name, code }] : []));
  return {
    added: live.filter(({ code }) => !bankByCode(code)),
    closed: ours.filter(({ code }) => isIn(listed, code) && !isIn(live, code)),
    gone: ours.filter(({ code }) => !isIn(listed, code)),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
