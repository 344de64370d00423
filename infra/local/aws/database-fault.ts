/** A fault for tests: certain requests to DynamoDB get no response, because their connection is closed. */
export interface DatabaseFault {
  /** The fault affects the functions' requests whose bodies contain all these strings. */
  readonly texts: readonly string[];
  /** Whether DynamoDB receives the request, so that only the response is lost. */
  readonly isApplied: boolean;
}

/** Returns the first fault that affects a request with this body. */
export function faultOf(faults: readonly DatabaseFault[], body: Buffer): DatabaseFault | undefined {
  if (faults.length === 0) return undefined;
  const content = body.toString('utf8');
  return faults.find(({ texts }) => texts.every((text) => content.includes(text)));
}
