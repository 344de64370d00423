/**
 * Live and test data never mix: the environment is the first part of every partition key of Wallets and
 * VerificationLogs (contract B3).
 */
export const ENVIRONMENTS = ['live', 'test'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
