import * as v from 'valibot';
import { accountAnswer } from '../../account-answer.ts';
import { foundOrFailed, readAnswer } from '../../answers.ts';
import { dateField, genderField, imageField, phoneField, textField } from '../../fields.ts';
import { NEXT_OF_KIN_MASKED } from '../../records/nin.ts';
import type { RegistryAnswer, RegistryQuery } from '../../registry.ts';
import { yesOrNo } from '../../shapes/nibss.ts';
import { numberOfTaxpayer, taxpayerEntry, tinFromTaxpayer } from '../../shapes/taxpayer.ts';
import { companyEntity, companyFrom } from './company.ts';

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

const ninEntity = entityOf(
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

const bvnEntity = entityOf(
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

const cacEntity = entityOf(companyEntity);
const tinEntity = entityOf(taxpayerEntry);
const accountEntity = entityOf(v.object({ account_name: textField, account_number: textField }));

/** Reads a 200. Numbers may come as integers, without their leading zeros (the maker's own SDK types them so). */
export function readEntity(query: RegistryQuery, json: unknown): RegistryAnswer {
  switch (query.idType) {
    case 'NIN':
      return readAnswer(ninEntity, json, ({ entity }) => identity(query, entity));
    case 'BVN':
      return readAnswer(bvnEntity, json, ({ entity }) => bankIdentity(query, entity));
    case 'CAC':
      return readAnswer(cacEntity, json, ({ entity }) => companyFrom(query, entity));
    case 'TIN':
      return readAnswer(tinEntity, json, ({ entity }) =>
        foundOrFailed(query, numberOfTaxpayer(entity), tinFromTaxpayer(query.number, entity)),
      );
    case 'NUBAN':
      return readAnswer(accountEntity, json, ({ entity }) =>
        accountAnswer(query, { accountNumber: entity.account_number, accountName: entity.account_name }),
      );
  }
}

function identity(query: RegistryQuery, entity: v.InferOutput<typeof ninEntity>['entity']): RegistryAnswer {
  return foundOrFailed(query, entity.nin, {
    nin: query.number,
    firstname: entity.first_name,
    lastname: entity.last_name,
    middlename: entity.middle_name,
    phone: entity.phone_number,
    gender: entity.gender,
    birthdate: entity.date_of_birth,
    photo: entity.photo || entity.image || entity.picture,
    residence: {
      address1: entity.residence_address_line_1,
      town: entity.residence_town,
      lga: entity.residence_lga,
      state: entity.residence_state,
    },
    title: entity.title,
    email: entity.email,
    profession: entity.profession,
    marital_status: entity.marital_status,
    employment_status: entity.employment_status,
    birth_state: entity.birth_state,
    birth_country: entity.birth_country,
    state_of_origin: entity.origin_state,
    lga_of_origin: entity.origin_lga,
    nspokenlang: entity.nspoken_lang,
    religion: entity.religion,
    next_of_kin: NEXT_OF_KIN_MASKED,
    signature: entity.signature,
    tracking_id: entity.tracking_id,
  });
}

function bankIdentity(
  query: RegistryQuery,
  entity: v.InferOutput<typeof bvnEntity>['entity'],
): RegistryAnswer {
  return foundOrFailed(query, entity.bvn, {
    bvn: query.number,
    firstname: entity.first_name,
    lastname: entity.last_name,
    middlename: entity.middle_name,
    birthdate: entity.date_of_birth,
    gender: entity.gender,
    phone: entity.phone_number1,
    photo: entity.image || entity.photo || entity.picture,
    title: entity.title,
    email: entity.email,
    nationality: entity.nationality,
    marital_status: entity.marital_status,
    residential_address: entity.residential_address,
    state_of_origin: entity.state_of_origin,
    lga_of_origin: entity.lga_of_origin,
    state_of_residence: entity.state_of_residence,
    lga_of_residence: entity.lga_of_residence,
    name_on_card: entity.name_on_card,
    nin: entity.nin,
    phone_number2: entity.phone_number2,
    registration_date: entity.registration_date,
    enrollment_bank: entity.enrollment_bank,
    enrollment_branch: entity.enrollment_branch,
    level_of_account: entity.level_of_account,
    watch_listed: yesOrNo(entity.watch_listed),
  });
}
