import { setTimeout as sleep } from 'node:timers/promises';
import { bvn, DOJAH_KEYS, nin, taxpayer } from '../../support/registries/dojah-double.ts';
import {
  type DoubleRequest,
  type DoubleResponse,
  startDouble,
  type TestDouble,
} from '../../support/registries/double.ts';

/** The primary provider, over the wire in Dojah's shapes, for any number: it can be as registries are on a bad day. */
export type Mood = 'well' | 'hanging' | 'broken' | 'refusing';

export interface PrimaryRegistry {
  readonly baseUrl: string;
  /** From now on. What it has not answered by then stays unanswered. */
  become(mood: Mood): Promise<void>;
  stop(): Promise<void>;
}

const LATENCY_MS = 30;
/** From a path to the parameter with the number, and the entity about it. */
const LOOK_UPS: Readonly<Record<string, readonly [parameter: string, entity: (number: string) => unknown]>> =
  {
    '/api/v1/kyc/nin/advance': ['nin', nin],
    '/api/v1/kyc/bvn/full': ['bvn', bvn],
    '/api/v1/kyc/tin': ['tin', taxpayer],
  };
const NOT_FOUND = { status: 404, body: { error: 'number not found' } };

function lookUp({ path, query, headers }: DoubleRequest): DoubleResponse {
  if (headers['authorization'] !== DOJAH_KEYS.apiKey) return { status: 401, body: { error: 'Unauthorized' } };
  const [parameter, entity] = LOOK_UPS[path] ?? [];
  const number = parameter && query.get(parameter);
  if (!entity || !number) return { status: 404, body: { error: 'Cannot GET this endpoint' } };
  // As the sandbox does it (decision G1), so that one number has one outcome wherever it is asked for.
  if (number.endsWith('0404')) return NOT_FOUND;
  if (number.endsWith('0400')) return { status: 400, body: { error: 'number is not valid' } };
  return { status: 200, body: { entity: entity(number) } };
}

export async function startPrimaryRegistry(): Promise<PrimaryRegistry> {
  let mood: Mood = 'well';
  const answerTo = async (request: DoubleRequest): Promise<DoubleResponse> => {
    if (mood === 'hanging') return new Promise(() => undefined);
    await sleep(LATENCY_MS);
    return mood === 'broken' ? { status: 500, body: { error: 'Unable to get identity' } } : lookUp(request);
  };
  let double: TestDouble | undefined = await startDouble(answerTo);
  const { baseUrl } = double;
  const port = Number(new URL(baseUrl).port);
  const stop = async () => {
    await double?.stop();
    double = undefined;
  };
  return {
    baseUrl,
    async become(wanted) {
      mood = wanted;
      if (wanted === 'refusing') await stop();
      else double ??= await startDouble(answerTo, port);
    },
    stop,
  };
}
