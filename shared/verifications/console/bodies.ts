import * as v from 'valibot';
import { LOOK_UP_ROUTES } from '../services.ts';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const testRequestBody = v.strictObject({
  service: v.picklist(LOOK_UP_ROUTES),
  body: v.custom<Record<string, unknown>>(isObject, 'Send the body of the request as a JSON object.'),
});
export type TestRequestBody = v.InferInput<typeof testRequestBody>;
