import * as v from 'valibot';
import {
  dateField,
  genderField,
  imageField,
  phoneField,
  pictureFields,
  pictureIn,
  textField,
} from '../fields.ts';
import { NEXT_OF_KIN_MASKED, type NinRecord } from '../records/nin.ts';

/** The field names of NIMC, with its misspellings ("emplymentstatus"), which several resellers also use. */
export const nimcEntry = v.object({
  nin: textField,
  title: textField,
  firstname: textField,
  middlename: textField,
  surname: textField,
  telephoneno: phoneField,
  email: textField,
  gender: genderField,
  birthdate: dateField,
  birthcountry: textField,
  birthstate: textField,
  self_origin_state: textField,
  self_origin_lga: textField,
  residence_AdressLine1: textField,
  residence_address: textField,
  residence_Town: textField,
  residence_town: textField,
  residence_lga: textField,
  residence_state: textField,
  maritalstatus: textField,
  emplymentstatus: textField,
  employmentstatus: textField,
  profession: textField,
  religion: textField,
  nspokenlang: textField,
  spoken_language: textField,
  trackingId: textField,
  ...pictureFields,
  signature: imageField,
});

/** `nin` is the query's number. The next of kin is never read, because the service returns only a mask. */
export function ninFromNimc(nin: string, entry: v.InferOutput<typeof nimcEntry>): NinRecord {
  return {
    nin,
    firstname: entry.firstname,
    lastname: entry.surname,
    middlename: entry.middlename,
    phone: entry.telephoneno,
    gender: entry.gender,
    birthdate: entry.birthdate,
    photo: pictureIn(entry),
    residence: {
      address1: entry.residence_AdressLine1 || entry.residence_address,
      town: entry.residence_Town || entry.residence_town,
      lga: entry.residence_lga,
      state: entry.residence_state,
    },
    title: entry.title,
    email: entry.email,
    profession: entry.profession,
    marital_status: entry.maritalstatus,
    employment_status: entry.emplymentstatus || entry.employmentstatus,
    birth_state: entry.birthstate,
    birth_country: entry.birthcountry,
    state_of_origin: entry.self_origin_state,
    lga_of_origin: entry.self_origin_lga,
    nspokenlang: entry.nspokenlang || entry.spoken_language,
    religion: entry.religion,
    next_of_kin: NEXT_OF_KIN_MASKED,
    signature: entry.signature,
    tracking_id: entry.trackingId,
  };
}
