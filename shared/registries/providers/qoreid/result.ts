import * as v from 'valibot';
import { isVirtualNin, tinFormat } from '../../../core/numbers.ts';
import { accountResult } from '../../mapping/account.ts';
import { entityFoundOrFailed } from '../../mapping/entity.ts';
import { pictureIn, textField } from '../../mapping/fields.ts';
import { NEXT_OF_KIN_MASKED, type NinRecord } from '../../mapping/records/nin.ts';
import { failure, foundOrFailed, readResult, WITHOUT_RECORD } from '../../mapping/results.ts';
import { affiliatesFrom, directorsAmong } from '../../mapping/shapes/affiliates.ts';
import { yesOrNo } from '../../mapping/shapes/nibss.ts';
import { taxNumberLike } from '../../mapping/shapes/taxpayer.ts';
import type { RegistryQuery, RegistryResult } from '../../port.ts';
import { accountEntry, bvnEntry, cacEntry, ninEntry, tinEntry } from './schemas.ts';

/**
 * QoreID's envelope: a summary of how the names matched, a status, and the record under the name of the check. It is
 * ignored, because only the record matters here.
 */
const envelope = v.object({
  status: v.object({ state: textField, status: textField }),
  nin: v.nullish(ninEntry),
  v_nin: v.nullish(ninEntry),
  bvn: v.nullish(bvnEntry),
  cac: v.nullish(cacEntry),
  tin: v.nullish(tinEntry),
  nuban: v.nullish(accountEntry),
});
type Envelope = v.InferOutput<typeof envelope>;

/** Parses a QoreID response with HTTP status 200 or 201. */
export function readQoreidResult(query: RegistryQuery, json: unknown): RegistryResult {
  return readResult(envelope, json, (body) => {
    // The provider is still processing the look-up and will bill it. We do not poll for the result.
    if (body.status.state.toLowerCase() === 'pending')
      return { ...failure('failed', 'pending'), maybeBilled: true };
    return readRecord(query, body) ?? failure('failed', WITHOUT_RECORD);
  });
}

function readRecord(query: RegistryQuery, body: Envelope): RegistryResult | null | undefined {
  switch (query.idType) {
    case 'NIN':
      return isVirtualNin(query.number)
        ? body.v_nin && identity(query, { ...body.v_nin, nin: body.v_nin.vNin })
        : body.nin && identity(query, body.nin);
    case 'BVN':
      return body.bvn && bankIdentity(query, body.bvn);
    case 'CAC':
      return body.cac && company(query, body.cac);
    case 'TIN':
      return body.tin && taxpayer(query, body.tin);
    case 'NUBAN':
      return body.nuban && accountResult(query, body.nuban);
  }
}

function identity(query: RegistryQuery, entry: v.InferOutput<typeof ninEntry>): RegistryResult {
  return foundOrFailed(query, entry.nin, {
    nin: query.number,
    firstname: entry.firstname,
    lastname: entry.lastname,
    middlename: entry.middlename,
    phone: entry.phone,
    gender: entry.gender,
    birthdate: entry.birthdate,
    photo: pictureIn(entry),
    residence: residenceFrom(entry.residence ?? entry.address),
    title: entry.title,
    email: entry.email,
    profession: entry.profession,
    marital_status: entry.maritalStatus,
    employment_status: entry.employmentStatus,
    birth_state: entry.birthState,
    birth_country: entry.birthCountry,
    state_of_origin: entry.stateOfOrigin,
    lga_of_origin: entry.lgaOfOrigin,
    nspokenlang: entry.nspokenlang,
    religion: entry.religion,
    next_of_kin: NEXT_OF_KIN_MASKED,
    signature: entry.signature,
    tracking_id: entry.trackingId,
  });
}

function residenceFrom(address: v.InferOutput<typeof ninEntry>['residence']): NinRecord['residence'] {
  if (typeof address !== 'object' || address === null)
    return { address1: address ?? '', town: '', lga: '', state: '' };
  const { town, lga, state } = address;
  return { address1: address.address1 || address.address, town, lga, state };
}

function bankIdentity(query: RegistryQuery, entry: v.InferOutput<typeof bvnEntry>): RegistryResult {
  return foundOrFailed(query, entry.bvn, {
    bvn: query.number,
    firstname: entry.firstname,
    lastname: entry.lastname,
    middlename: entry.middlename,
    birthdate: entry.birthdate,
    gender: entry.gender,
    phone: entry.phone,
    photo: pictureIn(entry),
    title: entry.title,
    email: entry.email,
    nationality: entry.nationality,
    marital_status: entry.marital_status,
    residential_address: entry.residential_address,
    state_of_origin: entry.state_of_origin,
    lga_of_origin: entry.lga_of_origin,
    state_of_residence: entry.state_of_residence,
    lga_of_residence: entry.lga_of_residence,
    name_on_card: entry.name_on_card,
    nin: entry.nin,
    phone_number2: '',
    registration_date: entry.registration_date,
    enrollment_bank: entry.enrollment_bank,
    enrollment_branch: entry.enrollment_branch,
    level_of_account: entry.level_of_account,
    watch_listed: yesOrNo(entry.watch_listed),
  });
}

function company(query: RegistryQuery, entry: v.InferOutput<typeof cacEntry>): RegistryResult {
  const affiliatesData = affiliatesFrom(entry.affiliatesData);
  // How the type is bound to the request (contract D7): the samples of CAC Basic do not name it, but `regNumber` in
  // the request does.
  const entity = {
    number: entry.rcNumber,
    types: [entry.companyType, entry.classification],
    requestNamesType: true,
  };
  return entityFoundOrFailed(query, entity, {
    ...entry,
    rcNumber: query.number,
    affiliates: affiliatesData.length || entry.affiliates,
    directors: directorsAmong(affiliatesData),
    affiliatesData,
  });
}

function taxpayer(query: RegistryQuery, entry: v.InferOutput<typeof tinEntry>): RegistryResult {
  const record = {
    tin: query.number,
    tin_format: tinFormat(query.number),
    name: entry.taxpayerName || entry.companyName,
    tax_office: entry.taxOffice,
    registration_date: entry.registrationDate,
    business_type: entry.entityType || entry.type,
    rc_number: entry.cacRegNo || entry.rcNumber,
    email: entry.email,
    phone: entry.phone,
  };
  const isRc = tinFormat(query.number) === 'RC';
  const numbers = isRc ? [entry.rcNumber, entry.cacRegNo] : [entry.tin, entry.taxId, entry.jittin];
  const number = taxNumberLike(query.number, numbers);
  return foundOrFailed(query, number, record, statusWarning(entry.status));
}

/**
 * The record has no field for a taxpayer's status (contract D5), so the message contains any status other than active.
 */
function statusWarning(status: string): string | undefined {
  const isStatus = /^[a-z][a-z -]{0,59}$/i.test(status) && !/^active$/i.test(status);
  return isStatus ? `The registry's status for this taxpayer is "${status}".` : undefined;
}
