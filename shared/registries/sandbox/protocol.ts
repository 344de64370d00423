/** Apart from the registry itself, so that those who ask it do not carry its names and pictures. */
export const SECRET_HEADER = 'x-sandbox-secret';
/** The caller's label of its request, which the sandbox takes into its log. */
export const REQUEST_HEADER = 'x-request-id';

/** Endings of numbers by which the sandbox is asked to be down, or never to answer (decision G1). */
const ASKED_OUTAGES = ['0503', '0504'];

/** Was the sandbox asked to fail? Then its failure says nothing of how it is. */
export function simulatesOutage(number: string): boolean {
  return ASKED_OUTAGES.includes(number.replace(/[^0-9]/g, '').slice(-4));
}
