import * as v from 'valibot';
import { dateField, genderField, imageField, phoneField, textField } from '../../mapping/fields.ts';
import { taxpayerEntry } from '../../mapping/shapes/taxpayer.ts';
import { companyEntity } from './company.ts';

/** Dojah's snake-case entities. The picture is `photo`, `image` or `picture`, by the call. */
const entityOf = <E extends v.GenericSchema>(entity: E) => v.object({ entity });

const person = {
  first_name: textField,
  middle_name: textField,
  last_name: textField,
  gender: genderField,
  date_of_birth: dateField,
  email: textField,
  title: textField,
  marital_status: textField,
  photo: imageField,
  image: imageField,
  picture: imageField,
};

export const ninEntity = entityOf(
  v.object({
    ...person,
    nin: textField,
    phone_number: phoneField,
    employment_status: textField,
    profession: textField,
    religion: textField,
    nspoken_lang: textField,
    birth_country: textField,
    birth_state: textField,
    origin_state: textField,
    origin_lga: textField,
    residence_address_line_1: textField,
    residence_town: textField,
    residence_lga: textField,
    residence_state: textField,
    signature: imageField,
    tracking_id: textField,
  }),
);

export const bvnEntity = entityOf(
  v.object({
    ...person,
    bvn: textField,
    phone_number1: phoneField,
    phone_number2: phoneField,
    nationality: textField,
    residential_address: textField,
    state_of_origin: textField,
    lga_of_origin: textField,
    state_of_residence: textField,
    lga_of_residence: textField,
    name_on_card: textField,
    nin: textField,
    registration_date: dateField,
    enrollment_bank: textField,
    enrollment_branch: textField,
    level_of_account: textField,
    watch_listed: textField,
  }),
);

export const cacEntity = entityOf(companyEntity);
export const tinEntity = entityOf(taxpayerEntry);
export const accountEntity = entityOf(v.object({ account_name: textField, account_number: textField }));
