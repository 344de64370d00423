import { CHECK_URL, slipInput, USUAL_RECORD } from '../../../slips/records.ts';

/** The same person for both libraries, without letters such as ọ, which Helvetica does not have. */
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
