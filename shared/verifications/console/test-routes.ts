import type { LookUpRoute } from '../services.ts';

const OPERATIONS: Readonly<Record<LookUpRoute, string>> = {
  'nin-basic': 'verifyNinBasic',
  'nin-premium': 'verifyNinPremium',
  'nin-slip': 'downloadNinSlip',
  'bvn-basic': 'verifyBvnBasic',
  'bvn-premium': 'verifyBvnPremium',
  'cac-basic': 'verifyCacBasic',
  'cac-premium': 'verifyCacPremium',
  'tin-basic': 'verifyTin',
  'nuban-basic': 'verifyNuban',
  'verify-identity': 'verifyIdentity',
};

/** Returns the canonical path of a route (contract A1). */
export function testPath(route: LookUpRoute): string {
  if (route === 'verify-identity') return '/api/v1/identities/verify/';
  return `/api/v1/ng/${route === 'nin-slip' ? 'nin/slip/download' : route}/`;
}

/** Returns the address of a route's page in the documentation. */
export function testDocumentation(route: LookUpRoute, documentationUrl: string): string {
  return `${documentationUrl.replace(/\/$/, '')}/reference/${OPERATIONS[route]}.html`;
}
