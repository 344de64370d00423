import * as v from 'valibot';
import { tinFormat } from '../../../core/numbers.ts';
import {
  dateField,
  genderField,
  imageField,
  phoneField,
  pictureFields,
  pictureIn,
  textField,
} from '../../mapping/fields.ts';
import { NEXT_OF_KIN_MASKED } from '../../mapping/records/nin.ts';
import { failure, foundOrFailed, readResult } from '../../mapping/results.ts';
import { taxNumberLike } from '../../mapping/shapes/taxpayer.ts';
import type { RegistryQuery, RegistryResult } from '../../port.ts';

/** Youverify's responses, in which the fields of the record are next to the status. */
const personData = v.object({
  status: textField,
  idNumber: textField,
  firstName: textField,
  middleName: textField,
  lastName: textField,
  dateOfBirth: dateField,
  gender: genderField,
  mobile: phoneField,
  email: textField,
  title: textField,
  maritalStatus: textField,
  profession: textField,
  employmentStatus: textField,
  religion: textField,
  nationality: textField,
  birthState: textField,
  birthCountry: textField,
  stateOfOrigin: textField,
  lgaOfOrigin: textField,
  nspokenlang: textField,
  registrationDate: dateField,
  enrollmentBranch: textField,
  address: v.nullish(v.object({ addressLine: textField, town: textField, lga: textField, state: textField })),
  ...pictureFields,
  signature: imageField,
});
const taxpayerData = v.object({
  status: textField,
  tin: textField,
  jtbTin: textField,
  name: textField,
  registrationNumber: textField,
  taxOffice: textField,
  phone: phoneField,
  email: textField,
});
const envelopeOf = <D extends v.GenericSchema>(data: D) => v.object({ success: v.literal(true), data });
const personResult = envelopeOf(personData);
const taxpayerResult = envelopeOf(taxpayerData);
type Person = v.InferOutput<typeof personData>;

/** Parses a Youverify response with HTTP status 200 or 201. */
export function readYouverifyResult(query: RegistryQuery, json: unknown): RegistryResult {
  if (query.idType === 'TIN') {
    return readResult(taxpayerResult, json, ({ data }) => failureOf(data.status) ?? taxpayer(query, data));
  }
  return readResult(personResult, json, ({ data }) => {
    const failed = failureOf(data.status);
    if (failed) return failed;
    return query.idType === 'NIN' ? identity(query, data) : bankIdentity(query, data);
  });
}

/** Returns the failure for a status other than `found`. */
function failureOf(status: string): RegistryResult | undefined {
  if (status === 'found') return undefined;
  if (status === 'not_found') return failure('not-found', 'status-not-found');
  return failure('failed', 'status-unknown');
}

function identity(query: RegistryQuery, data: Person): RegistryResult {
  return foundOrFailed(query, data.idNumber, {
    nin: query.number,
    firstname: data.firstName,
    lastname: data.lastName,
    middlename: data.middleName,
    phone: data.mobile,
    gender: data.gender,
    birthdate: data.dateOfBirth,
    photo: pictureIn(data),
    residence: {
      address1: data.address?.addressLine ?? '',
      town: data.address?.town ?? '',
      lga: data.address?.lga ?? '',
      state: data.address?.state ?? '',
    },
    title: data.title,
    email: data.email,
    profession: data.profession,
    marital_status: data.maritalStatus,
    employment_status: data.employmentStatus,
    birth_state: data.birthState,
    birth_country: data.birthCountry,
    state_of_origin: data.stateOfOrigin,
    lga_of_origin: data.lgaOfOrigin,
    nspokenlang: data.nspokenlang,
    religion: data.religion,
    next_of_kin: NEXT_OF_KIN_MASKED,
    signature: data.signature,
    tracking_id: '',
  });
}

function bankIdentity(query: RegistryQuery, data: Person): RegistryResult {
  return foundOrFailed(query, data.idNumber, {
    bvn: query.number,
    firstname: data.firstName,
    lastname: data.lastName,
    middlename: data.middleName,
    birthdate: data.dateOfBirth,
    gender: data.gender,
    phone: data.mobile,
    photo: pictureIn(data),
    title: data.title,
    email: data.email,
    nationality: data.nationality,
    marital_status: data.maritalStatus,
    residential_address: data.address?.addressLine ?? '',
    state_of_origin: data.stateOfOrigin,
    lga_of_origin: data.lgaOfOrigin,
    state_of_residence: data.address?.state ?? '',
    lga_of_residence: data.address?.lga ?? '',
    name_on_card: '',
    nin: '',
    phone_number2: '',
    registration_date: data.registrationDate,
    enrollment_bank: '',
    enrollment_branch: data.enrollmentBranch,
    level_of_account: '',
    watch_listed: '',
  });
}

function taxpayer(query: RegistryQuery, data: v.InferOutput<typeof taxpayerData>): RegistryResult {
  return foundOrFailed(query, taxNumberLike(query.number, [data.tin, data.jtbTin]), {
    tin: query.number,
    tin_format: tinFormat(query.number),
    name: data.name,
    tax_office: data.taxOffice,
    registration_date: '',
    business_type: '',
    rc_number: data.registrationNumber,
    email: data.email,
    phone: data.phone,
  });
}
