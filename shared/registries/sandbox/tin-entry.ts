import { inventPerson, twoDigits } from './person.ts';
import { seededRandom } from './random.ts';

/** A record as the tax registry writes it: a person or a company, with "N/A" for missing values. */
export function tinEntry(tin: string): Record<string, unknown> {
  const random = seededRandom(`TIN/${tin}`);
  const person = inventPerson(random);
  const isCompany = random.below(2) === 0;
  return {
    search: tin,
    taxpayer_name: isCompany
      ? `${person.surname} Enterprises Limited`.toUpperCase()
      : [person.firstname, person.middlename, person.surname].filter(Boolean).join(' '),
    cac_reg_number: isCompany ? `RC${random.digits(6)}` : 'N/A',
    entity_type: isCompany ? 'COMPANY' : 'INDIVIDUAL',
    date_of_registration: `${2008 + random.below(17)}/${twoDigits(1 + random.below(12))}/${twoDigits(1 + random.below(28))}`,
    tax_office: `MSTO ${person.home.name.toUpperCase()}`,
    phone_number: person.phone,
    email: person.email || 'N/A',
  };
}
