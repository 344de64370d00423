import * as v from 'valibot';
import {
  amountField,
  dateField,
  genderField,
  imageField,
  phoneField,
  pictureFields,
  textField,
} from '../../mapping/fields.ts';
import { affiliateEntries } from '../../mapping/shapes/affiliates.ts';
import { taxpayerEntry } from '../../mapping/shapes/taxpayer.ts';

/** Dojah's entities. */

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
  ...pictureFields,
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

/** Pages disagree about the names of the phone number and the birth date. */
export const vninEntity = entityOf(
  v.object({
    vnin: textField,
    firstname: textField,
    middlename: textField,
    surname: textField,
    gender: genderField,
    birthdate: dateField,
    dateOfBirth: dateField,
    telephoneno: phoneField,
    mobile: phoneField,
    ...pictureFields,
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

const company = v.object({
  rc_number: textField,
  company_name: textField,
  type_of_company: textField,
  address: textField,
  status: textField,
  date_of_registration: dateField,
  email: textField,
  city: textField,
  lga: textField,
  state: textField,
  RC_Number: textField,
  Name_of_Company: textField,
  Classification: textField,
  Company_Type: textField,
  Head_Office_Address: textField,
  Branch_Address: textField,
  Status: textField,
  Date_of_Registration: dateField,
  Email: textField,
  City: textField,
  LGA: textField,
  State: textField,
  Number_of_Affiliates: amountField,
  Share_capital: amountField,
  Share_capital_in_words: textField,
  affiliates: affiliateEntries,
});

export const cacEntity = entityOf(company);
/**
 * The current field names are the tax registry's own. In 2023, they were capitalised, and the phone number and the
 * email address were swapped.
 */
export const tinEntity = entityOf(
  v.object({
    ...taxpayerEntry.entries,
    Search: textField,
    FIRSTIN: textField,
    JITTIN: textField,
    Taxpayer_Name: textField,
    CAC_Reg_No: textField,
    Tax_Office: textField,
    Phone_No: phoneField,
    Email: phoneField,
  }),
);
export const accountEntity = entityOf(v.object({ account_name: textField, account_number: textField }));
