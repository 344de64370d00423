import * as v from 'valibot';
import { amountField, dateField, textField } from '../../mapping/fields.ts';
import { foundOrFailed } from '../../mapping/results.ts';
import { affiliateEntries, affiliatesFrom, directorsAmong } from '../../mapping/shapes/affiliates.ts';
import type { RegistryQuery, RegistryResult } from '../../port.ts';

/** Two generations of Dojah's company answers: basic in snake case, advance with the capitals of the status report. */
export const companyEntity = v.object({
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
  business: textField,
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

export function companyFrom(
  query: RegistryQuery,
  entity: v.InferOutput<typeof companyEntity>,
): RegistryResult {
  const affiliatesData = affiliatesFrom(entity.affiliates);
  return foundOrFailed(query, entity.rc_number || entity.RC_Number, {
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
    natureOfBusiness: entity.business,
    shareCapital: entity.Share_capital,
    shareCapitalInWords: entity.Share_capital_in_words,
    affiliates: affiliatesData.length || entity.Number_of_Affiliates,
    directors: directorsAmong(affiliatesData),
    affiliatesData,
  });
}
