import * as v from 'valibot';
import {
  amountField,
  dateField,
  genderField,
  imageField,
  phoneField,
  textField,
} from '../../mapping/fields.ts';
import { affiliateEntries } from '../../mapping/shapes/affiliates.ts';

/** QoreID's records, one for each check. An address is an object in some responses and a line of text in others. */
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
  photo: imageField,
  title: textField,
  nationality: textField,
  maritalStatus: textField,
};
export const ninEntry = v.object({
  ...person,
  nin: textField,
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
export const bvnEntry = v.object({
  ...person,
  bvn: textField,
  nin: textField,
  residentialAddress: textField,
  stateOfOrigin: textField,
  lgaOfOrigin: textField,
  stateOfResidence: textField,
  lgaOfResidence: textField,
  nameOnCard: textField,
  phone2: phoneField,
  registrationDate: dateField,
  enrollmentBank: textField,
  enrollmentBranch: textField,
  levelOfAccount: textField,
  watchListed: textField,
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
  /** The number of affiliates. The rows are in `affiliatesData`. */
  affiliates: amountField,
  affiliatesData: affiliateEntries,
});
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
  phone: phoneField,
  email: textField,
});
export const accountEntry = v.object({ accountNumber: textField, accountName: textField });
