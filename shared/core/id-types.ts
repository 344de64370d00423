/** The identity numbers that the service can verify. Sources: specification "ID number formats", contract D6. */

export const ID_TYPES = ['NIN', 'BVN', 'CAC', 'TIN', 'NUBAN'] as const;
export type IdType = (typeof ID_TYPES)[number];

/** The kinds of CAC registrations: company, business name, incorporated trustees, and two kinds of partnership. */
export const COMPANY_TYPES = ['RC', 'BN', 'IT', 'LP', 'LLP'] as const;
export type CompanyType = (typeof COMPANY_TYPES)[number];

/**
 * The kinds of tax numbers: `FIRS` has 12 digits, `JTB` has 10, and `TAX_ID`, in force since 1 January 2026, has 13.
 */
export const TIN_FORMATS = ['FIRS', 'JTB', 'TAX_ID', 'NIN', 'RC'] as const;
export type TinFormat = (typeof TIN_FORMATS)[number];
