import { cacheable } from '../../http/cacheable.ts';
import type { Run } from '../../http/public-route.ts';
import { noQuery, readQuery } from '../../http/query.ts';
import { BANKS } from '../mapping/banks.ts';

/** GET /v1/banks: the codes that `bank_code` accepts. A code is empty if no source has it. */
export function listBanks(): Run {
  const banks = BANKS.map(({ name, shortName, kind, cbnCode, nipCode, providerCodes }) => ({
    name,
    short_name: shortName,
    kind,
    cbn_code: cbnCode,
    nip_code: nipCode,
    provider_codes: providerCodes,
  }));
  const respond = cacheable(
    { kind: 'information', code: 'BANKS', message: 'Banks and their codes.', data: { banks } },
    'private',
  );
  return async (requestContext, event) => {
    readQuery(event, noQuery);
    return respond(requestContext, event);
  };
}
