/**
 * The meaning of each field of a look-up's response, for the OpenAPI document and the console's playground
 * (specification "Resources", contract C1, C2, C7 and D1 to D5).
 */

/** The fields of records by name, at any depth. */
export const RECORD_FIELDS: Readonly<Record<string, string>> = {
  nin: 'The number in the registry record.',
  bvn: 'The number in the registry record.',
  tin: 'The number in its canonical form.',
  title: 'Such as `MR` or `MRS`, or empty.',
  firstname: 'First name.',
  lastname: 'Last name.',
  middlename: 'Middle name, or empty.',
  surname: 'Last name.',
  otherName: 'Middle name, or empty.',
  name: 'The name of the taxpayer.',
  phone: 'Phone number, or empty. A Nigerian number is 0 plus ten digits.',
  phone_number2: 'A second phone number, or empty.',
  phoneNumber: 'Phone number, or empty.',
  email: 'Email address, or empty.',
  gender: '`m` or `f`, or empty if the registry has none.',
  birthdate: 'DD-MM-YYYY, or empty.',
  registration_date: 'DD-MM-YYYY, or empty.',
  registrationDate: 'DD-MM-YYYY, or empty.',
  photo: 'A JPEG or PNG in Base64 without a data URI prefix, or empty.',
  signature: 'A JPEG or PNG in Base64 without a data URI prefix, or empty.',
  residence: 'Where the person lives.',
  address1: 'The first line of the address.',
  address2: 'The second line of the address.',
  address: 'Address, or empty.',
  town: 'Town or city.',
  city: 'Town or city.',
  lga: 'Local government area.',
  state: 'State of Nigeria.',
  postal_code: 'Postal code.',
  residential_address: 'Where the person lives.',
  profession: 'Occupation, or empty.',
  occupation: 'Occupation, or empty.',
  employment_status: 'Such as `EMPLOYED`, or empty.',
  religion: 'Sensitive personal data. Do not store or disclose it without a lawful basis.',
  marital_status: 'Sensitive personal data. Do not store or disclose it without a lawful basis.',
  birth_state: 'State of birth.',
  birth_country: 'Country of birth.',
  state_of_origin: 'State of origin.',
  lga_of_origin: 'Local government area of origin.',
  state_of_residence: 'State of residence.',
  lga_of_residence: 'Local government area of residence.',
  nspokenlang: 'The language that the person speaks.',
  nationality: 'Nationality, or empty.',
  next_of_kin: 'Always masked: every field is `****`.',
  tracking_id: 'The tracking ID of the enrolment at NIMC.',
  name_on_card: 'The name on the BVN card.',
  enrollment_bank: 'The bank where the BVN was issued.',
  enrollment_branch: 'The branch where the BVN was issued.',
  level_of_account: 'The level of the account, such as `Level 2`.',
  watch_listed: '`YES` if the BVN is on a watch list, `NO` if not, or empty.',
  companyName: 'The registered name.',
  rcNumber:
    'The registration number. In the record of a company, it starts with its type: `RC`, `BN`, `IT`, `LP` or `LLP`. For an affiliate, it is as in the registry, or empty.',
  rc_number: 'The registration number at CAC, or empty.',
  status: 'The status in the registry, such as `ACTIVE`.',
  companyType: 'The legal form.',
  classification: 'Such as company, business name or incorporated trustees.',
  headOfficeAddress: 'The address of the head office.',
  branchAddress: 'The address of a branch, or empty.',
  companyEmail: "The company's email address, or empty.",
  natureOfBusiness: 'What the company does, or empty.',
  shareCapital: 'In naira. 0 if the registry has none.',
  shareCapitalInWords: 'The share capital as text, or empty.',
  directors: 'The names of the directors who are natural persons.',
  affiliates: 'The number of affiliates in the registry.',
  affiliatesData: 'The affiliates: directors, shareholders, persons with significant control, and others.',
  affiliateType: 'For example `DIRECTOR`, `SHAREHOLDER` or `PSC` (person with significant control).',
  corporationName: 'The name of an affiliate that is a company, or empty.',
  isCorporate: 'Whether the affiliate is a company.',
  dateOfAppointment: 'DD-MM-YYYY, or empty.',
  numSharesAlloted: 'The number of allotted shares.',
  typeOfShares: 'Such as `ORDINARY`, or empty.',
  shareholdingPercentage:
    'Two decimals. Null if the registry has no percentage and it cannot be calculated from the allotted shares.',
  shareholdingPercentageDerived: 'True if the percentage was calculated from the allotted shares.',
  tin_format:
    'The format of the number: `FIRS` (12 digits), `JTB` (10 digits), `TAX_ID` (13 digits, in force since 2026), `NIN` or `RC`.',
  tax_office: "The taxpayer's tax office.",
  business_type: 'The type of the taxpayer, such as a company or a person.',
  account_number: 'The account number.',
  account_name: 'The name of the account holder.',
  bank_code: 'The code of the bank.',
  bank_name: 'The name of the bank.',
  currency: 'The currency (ISO 4217), such as `NGN`.',
};

/** The fields of the match result for one field. */
export const FIELD_MATCH_FIELDS = {
  result:
    '`not_in_record`: the registry has no value. `unreadable`: the value that you sent contains nothing to compare.',
  score: 'From 0 to 1. 0 if the field was not compared.',
  reasons: 'Why the field differs. More reasons may be added.',
} as const;

/** The fields of the envelope by their path. */
export const ENVELOPE_FIELDS = {
  success: 'Whether the record was found.',
  code: 'What happened, for programs.',
  message: 'A message for people. Programs should use `code`.',
  verification_type: 'The ID type of the route or the request. Empty for requests without a number.',
  summary: 'A short form of the result.',
  'summary.verified': 'Whether the record was found.',
  'summary.verification_type':
    'The ID type of the route or the request. Empty for requests without a number.',
  'summary.provider':
    'The provider that returned the result. `Sandbox` for test keys. Empty if the request failed before a look-up.',
  'summary.confidence_score':
    '0.0 if no record was found. Otherwise the score of the match, or 1.0 if you sent no `match`.',
  match:
    'How the details that you sent compare with the record. Absent if you sent none, or if no record was found.',
  'match.overall':
    '`exact` or `strong`: the details match. `partial`: a person should decide. `none`: they do not match. `insufficient`: they are too few to decide.',
  'match.score': 'From 0 to 1. Rely on `overall`: the score is for sorting and statistics.',
  'match.algorithm': 'The version of the comparison. Store it with your decision.',
  'match.fields': 'The result for each field that you sent.',
  data: 'The record, or only its number with `match_only`. Null if the request failed.',
  error: 'Why the request is rejected. It never contains a value that you sent.',
  'error.reason': 'Why the request is rejected, for programs.',
  'error.field':
    'The path of the field, such as `params.id_number`, or the name of the header or query parameter. Empty if the error is not about a single field.',
  'error.hint': 'What to do, as a sentence.',
  meta: 'About the request.',
  'meta.request_id': 'Unique ID of the request. Quote it when you contact support.',
  'meta.timestamp': 'ISO 8601 in UTC, with milliseconds.',
  'meta.replay_of': 'Present on a free replay: the ID of the charged request.',
} as const satisfies Readonly<Record<string, string>>;
