import { setTimeout as sleep } from 'node:timers/promises';
import { bvnBody, DOJAH_KEYS, ninBody, taxpayerBody } from '../../support/registries/dojah-double.ts';
import {
  type DoubleRequest,
  type DoubleResponse,
  startDouble,
  type TestDouble,
} from '../../support/registries/double.ts';

/** How the primary provider behaves: as usual, no response, 500, or no connection. */
export type Behaviour = 'healthy' | 'hanging' | 'failing' | 'refusing';

/** A test double for the primary provider over HTTP: Dojah's API, for any number. */
export interface PrimaryRegistry {
  readonly baseUrl: string;
  /** Changes the behaviour for all later requests. Requests that hang never get a response. */
  become(behaviour: Behaviour): Promise<void>;
  stop(): Promise<void>;
}

const LATENCY_MS = 30;
/** For each path, the parameter with the number, and a function that returns the body for this number. */
const LOOK_UPS: Readonly<
  Record<string, readonly [parameter: string, bodyAbout: (number: string) => unknown]>
> = {
  '/api/v1/kyc/nin/advance': ['nin', ninBody],
  '/api/v1/kyc/bvn/full': ['bvn', bvnBody],
  '/api/v1/kyc/tin': ['tin', taxpayerBody],
};
const NOT_FOUND = { status: 404, body: { error: 'number not found' } };

function lookUp({ path, query, headers }: DoubleRequest): DoubleResponse {
  if (headers['authorization'] !== DOJAH_KEYS.apiKey) return { status: 401, body: { error: 'Unauthorized' } };
  const [parameter, bodyAbout] = LOOK_UPS[path] ?? [];
  const number = parameter && query.get(parameter);
  if (!bodyAbout || !number) return { status: 404, body: { error: 'Cannot GET this endpoint' } };
  // As in the sandbox (contract G1), so that a number has the same outcome at every provider.
  if (number.endsWith('0404')) return NOT_FOUND;
  if (number.endsWith('0400')) return { status: 400, body: { error: 'number is not valid' } };
  return { status: 200, body: bodyAbout(number) };
}

export async function startPrimaryRegistry(): Promise<PrimaryRegistry> {
  let behaviour: Behaviour = 'healthy';
  const respond = async (request: DoubleRequest): Promise<DoubleResponse> => {
    if (behaviour === 'hanging') return new Promise(() => undefined);
    await sleep(LATENCY_MS);
    return behaviour === 'failing'
      ? { status: 500, body: { error: 'Unable to get identity' } }
      : lookUp(request);
  };
  let double: TestDouble | undefined = await startDouble(respond);
  const { baseUrl } = double;
  const port = Number(new URL(baseUrl).port);
  const stop = async () => {
    await double?.stop();
    double = undefined;
  };
  return {
    baseUrl,
    async become(next) {
      behaviour = next;
      if (next === 'refusing') await stop();
      else double ??= await startDouble(respond, port);
    },
    stop,
  };
}
