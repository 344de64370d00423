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

/** QoreID's records, one for each check (test/fixtures/providers/qoreid). */

const address = v.nullish(
  v.union([
    v.object({ address1: textField, address: textField, town: textField, lga: textField, state: textField }),
    textField,
  ]),
);
const person = {
  firstname: textField,
  lastname: textField,
  middlename: textField,
  phone: phoneField,
  email: textField,
  gender: genderField,
  birthdate: dateField,
  ...pictureFields,
  title: textField,
};
/** The published sample contains names, phone, gender, birth date, photo and address. */
export const ninEntry = v.object({
  ...person,
  nin: textField,
  /** In the result of a virtual NIN, as public clients expect it. */
  vNin: textField,
  maritalStatus: textField,
  address,
  residence: address,
  profession: textField,
  employmentStatus: textField,
  birthState: textField,
  birthCountry: textField,
  stateOfOrigin: textField,
  lgaOfOrigin: textField,
  nspokenlang: textField,
  religion: textField,
  signature: imageField,
  trackingId: textField,
});
/** The published sample ends before `level_of_account`. */
export const bvnEntry = v.object({
  ...person,
  bvn: textField,
  nationality: textField,
  marital_status: textField,
  residential_address: textField,
  state_of_origin: textField,
  lga_of_origin: textField,
  state_of_residence: textField,
  enrollment_bank: textField,
  enrollment_branch: textField,
  name_on_card: textField,
  level_of_account: textField,
  watch_listed: textField,
  lga_of_residence: textField,
  registration_date: dateField,
  nin: textField,
});
export const cacEntry = v.object({
  rcNumber: textField,
  companyName: textField,
  companyType: textField,
  classification: textField,
  registrationDate: dateField,
  headOfficeAddress: textField,
  branchAddress: textField,
  companyEmail: textField,
  city: textField,
  lga: textField,
  state: textField,
  status: textField,
  natureOfBusiness: textField,
  shareCapital: amountField,
  shareCapitalInWords: textField,
  affiliates: amountField,
  affiliatesData: affiliateEntries,
});
/** Two pages document the same path with different fields. */
export const tinEntry = v.object({
  tin: textField,
  taxId: textField,
  jittin: textField,
  taxpayerName: textField,
  companyName: textField,
  cacRegNo: textField,
  rcNumber: textField,
  entityType: textField,
  type: textField,
  taxOffice: textField,
  registrationDate: dateField,
  status: textField,
  phone: phoneField,
  email: textField,
});
export const accountEntry = v.object({ accountNumber: textField, accountName: textField });
