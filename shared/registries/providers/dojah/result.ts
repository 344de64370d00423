import type * as v from 'valibot';
import { isVirtualNin } from '../../../core/numbers.ts';
import { accountResult } from '../../mapping/account.ts';
import { entityFoundOrFailed } from '../../mapping/entity.ts';
import { pictureIn } from '../../mapping/fields.ts';
import { EMPTY_NIN, NEXT_OF_KIN_MASKED } from '../../mapping/records/nin.ts';
import { foundOrFailed, readResult } from '../../mapping/results.ts';
import { affiliatesFrom, directorsAmong } from '../../mapping/shapes/affiliates.ts';
import { yesOrNo } from '../../mapping/shapes/nibss.ts';
import { numberOfTaxpayer, tinFromTaxpayer } from '../../mapping/shapes/taxpayer.ts';
import type { RegistryQuery, RegistryResult } from '../../port.ts';
import { accountEntity, bvnEntity, cacEntity, ninEntity, tinEntity, vninEntity } from './schemas.ts';

/** Parses a response with HTTP status 200. */
export function readDojahResult(query: RegistryQuery, json: unknown): RegistryResult {
  switch (query.idType) {
    case 'NIN':
      if (isVirtualNin(query.number))
        return readResult(vninEntity, json, ({ entity }) => virtualIdentity(query, entity));
      return readResult(ninEntity, json, ({ entity }) => identity(query, entity));
    case 'BVN':
      return readResult(bvnEntity, json, ({ entity }) => bankIdentity(query, entity));
    case 'CAC':
      return readResult(cacEntity, json, ({ entity }) => company(query, entity));
    case 'TIN':
      return readResult(tinEntity, json, ({ entity }) => taxpayer(query, entity));
    case 'NUBAN':
      return readResult(accountEntity, json, ({ entity }) =>
        accountResult(query, { accountNumber: entity.account_number, accountName: entity.account_name }),
      );
  }
}

function identity(query: RegistryQuery, entity: v.InferOutput<typeof ninEntity>['entity']): RegistryResult {
  return foundOrFailed(query, entity.nin, {
    nin: query.number,
    firstname: entity.first_name,
    lastname: entity.last_name,
    middlename: entity.middle_name,
    phone: entity.phone_number,
    gender: entity.gender,
    birthdate: entity.date_of_birth,
    photo: pictureIn(entity),
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

function virtualIdentity(
  query: RegistryQuery,
  entity: v.InferOutput<typeof vninEntity>['entity'],
): RegistryResult {
  return foundOrFailed(query, entity.vnin, {
    ...EMPTY_NIN,
    nin: query.number,
    firstname: entity.firstname,
    lastname: entity.surname,
    middlename: entity.middlename,
    phone: entity.telephoneno || entity.mobile,
    gender: entity.gender,
    birthdate: entity.birthdate || entity.dateOfBirth,
    photo: pictureIn(entity),
  });
}

function bankIdentity(
  query: RegistryQuery,
  entity: v.InferOutput<typeof bvnEntity>['entity'],
): RegistryResult {
  return foundOrFailed(query, entity.bvn, {
    bvn: query.number,
    firstname: entity.first_name,
    lastname: entity.last_name,
    middlename: entity.middle_name,
    birthdate: entity.date_of_birth,
    gender: entity.gender,
    phone: entity.phone_number1,
    photo: pictureIn(entity),
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

function company(query: RegistryQuery, entity: v.InferOutput<typeof cacEntity>['entity']): RegistryResult {
  const affiliatesData = affiliatesFrom(entity.affiliates);
  // The request names the type, so a company without a type is accepted.
  const compared = {
    number: entity.rc_number || entity.RC_Number,
    types: [entity.type_of_company, entity.Classification, entity.Company_Type],
    requestNamesType: true,
  };
  return entityFoundOrFailed(query, compared, {
    companyName: entity.company_name || entity.Name_of_Company,
    rcNumber: query.number,
    status: entity.status || entity.Status,
    registrationDate: entity.date_of_registration || entity.Date_of_Registration,
    companyType: entity.type_of_company || entity.Company_Type,
    classification: entity.Classification,
    headOfficeAddress: entity.address || entity.Head_Office_Address,
    branchAddress: entity.Branch_Address,
    city: entity.city || entity.City,
    lga: entity.lga || entity.LGA,
    state: entity.state || entity.State,
    companyEmail: entity.email || entity.Email,
    natureOfBusiness: '',
    shareCapital: entity.Share_capital,
    shareCapitalInWords: entity.Share_capital_in_words,
    affiliates: affiliatesData.length || entity.Number_of_Affiliates,
    directors: directorsAmong(affiliatesData),
    affiliatesData,
  });
}

function taxpayer(query: RegistryQuery, entity: v.InferOutput<typeof tinEntity>['entity']): RegistryResult {
  const areSwapped = entity.Phone_No.includes('@');
  const entry = {
    search: entity.search || entity.Search,
    firstin: entity.firstin || entity.FIRSTIN,
    jittin: entity.jittin || entity.JITTIN,
    taxpayer_name: entity.taxpayer_name || entity.Taxpayer_Name,
    cac_reg_number: entity.cac_reg_number || entity.CAC_Reg_No,
    tax_office: entity.tax_office || entity.Tax_Office,
    phone_number: entity.phone_number || (areSwapped ? entity.Email : entity.Phone_No),
    email: entity.email || (areSwapped ? entity.Phone_No : entity.Email),
  };
  return foundOrFailed(query, numberOfTaxpayer(query.number, entry), tinFromTaxpayer(query.number, entry));
}
