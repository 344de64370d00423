import { CHECK_URL, slipInput, USUAL_RECORD } from '../../../slips/records.ts';

/** One person for both libraries. Helvetica has no dotted letters, so the name has none here. */
export const INPUT = slipInput(
  'regular',
  {
    ...USUAL_RECORD,
    firstname: 'Olanrewaju',
    lastname: 'Adebayo',
    middlename: 'Chioma',
    residence: {
      address1: '14 Eko Close, off Dankwambo Road',
      town: 'Ibadan',
      lga: 'Ibadan North-East',
      state: 'Oyo',
    },
  },
  false,
);

export { CHECK_URL };
