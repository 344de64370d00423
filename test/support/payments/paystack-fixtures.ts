import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

/** Paystack's published responses and webhooks (test/fixtures/paystack). */

const FOLDER = new URL('../../fixtures/paystack/', import.meta.url);
const fixtureFile = v.object({
  name: v.string(),
  source: v.pipe(v.string(), v.url(), v.startsWith('https://github.com/PaystackOSS/')),
  method: v.picklist(['GET', 'POST']),
  path: v.string(),
  request: v.optional(v.record(v.string(), v.unknown())),
  status: v.number(),
  body: v.looseObject({ data: v.optional(v.unknown()) }),
});
export type PaystackFixture = v.InferOutput<typeof fixtureFile>;

export const PAYSTACK_FIXTURES: readonly PaystackFixture[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => v.parse(fixtureFile, JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))));

/** Returns a fixture by its name. Throws if there is none. */
export function paystackFixture(name: string): PaystackFixture {
  const fixture = PAYSTACK_FIXTURES.find((one) => one.name === name);
  if (!fixture) throw new Error(`No fixture of Paystack is named ${name}.`);
  return fixture;
}

/** Returns the body of a fixture with other values in `data`. */
export function bodyWith(name: string, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { body } = paystackFixture(name);
  return { ...body, data: { ...(body.data as object), ...data } };
}
