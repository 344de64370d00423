import * as v from 'valibot';
import { TEST_ROUTES } from './test-routes.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const testRequestBody = v.strictObject({
  service: v.picklist(TEST_ROUTES),
  body: v.custom<Record<string, unknown>>(isObject, 'Send the body of the request as a JSON object.'),
});
export type TestRequestBody = v.InferInput<typeof testRequestBody>;
