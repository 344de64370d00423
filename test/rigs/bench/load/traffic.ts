import type { Request } from 'autocannon';
import { newNin } from '../stage/verify.ts';

/** Requests as customers send them, in order: most are found, some not found, some rejected, some read the balance. */
export function mixedRequests(live: string, test: string): Request[] {
  const verify = (path: string, key: string, body: (nin: string) => object, ending = '0001'): Request => ({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    setupRequest: (request) => ({ ...request, body: JSON.stringify(body(newNin(ending))) }),
  });
  const read = (path: string): Request => ({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${live}` },
  });
  const idNumber = (nin: string) => ({ id_number: nin });
  const gateway = (nin: string) => ({ country: 'NG', id_type: 'NIN', params: { id_number: nin } });
  const again = (): Request => {
    const request = verify('/v1/ng/nin-basic', live, idNumber);
    return {
      ...request,
      setupRequest: (one) => ({
        ...(request.setupRequest?.(one) ?? one),
        headers: { ...one.headers, 'idempotency-key': `load-${crypto.randomUUID()}` },
      }),
    };
  };
  // The first request verifies the NIN of the slip.
  const slipNin = newNin();
  return [
    verify('/v1/ng/nin-basic', live, () => idNumber(slipNin)),
    verify('/v1/ng/nin-basic', live, idNumber),
    verify('/v1/identities/verify', live, gateway),
    again(),
    verify('/v1/ng/nin-basic', test, idNumber, '0404'),
    verify('/v1/ng/nin/slip/download', live, () => ({ nin: slipNin, slip_type: 'regular' })),
    verify('/v1/ng/nin-basic', live, idNumber),
    verify('/v1/ng/nin-basic', live, () => ({ id_number: '123' })),
    verify('/v1/ng/nin-basic', `${live.slice(0, -6)}000000`, idNumber),
    read('/v1/wallet/balance'),
    verify('/v1/ng/bvn-basic', live, (nin) => ({ bvn: nin })),
    verify('/v1/identities/verify', test, gateway, '0400'),
  ];
}
