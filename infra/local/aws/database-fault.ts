/** For tests: matching requests get no response. */
export interface DatabaseFault {
  /** Of functions' requests whose bodies contain all of these. */
  readonly texts: readonly string[];
  /** Only the response is lost. */
  readonly isApplied: boolean;
}

export function faultOf(faults: readonly DatabaseFault[], body: Buffer): DatabaseFault | undefined {
  if (faults.length === 0) return undefined;
  const content = body.toString('utf8');
  return faults.find(({ texts }) => texts.every((text) => content.includes(text)));
}
