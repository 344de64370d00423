import { drawPerson, twoDigits } from './person.ts';
import { drawsOf } from './pick.ts';

/** As a tax registry writes it: people and companies alike, the office in capitals, "N/A" where there is nothing. */
export function tinEntry(tin: string): Record<string, unknown> {
  const draws = drawsOf(`TIN/${tin}`);
  const person = drawPerson(draws);
  const isCompany = draws.below(2) === 0;
  return {
    search: tin,
    taxpayer_name: isCompany
      ? `${person.surname} Enterprises Limited`.toUpperCase()
      : [person.firstname, person.middlename, person.surname].filter(Boolean).join(' '),
    cac_reg_number: isCompany ? `RC${draws.digits(6)}` : 'N/A',
    entity_type: isCompany ? 'COMPANY' : 'INDIVIDUAL',
    date_of_registration: `${2008 + draws.below(17)}/${twoDigits(1 + draws.below(12))}/${twoDigits(1 + draws.below(28))}`,
    tax_office: `MSTO ${person.home.town.toUpperCase()}`,
    phone_number: person.phone,
    email: person.email || 'N/A',
  };
}
