import * as v from 'valibot';
import { recordAlone } from '../../audit/audit-table.ts';
import { ID_TYPES } from '../../core/id-types.ts';
import { notPossible } from '../../core/not-possible.ts';
import { canonicalNumber, numberFormat } from '../../core/numbers.ts';
import { bankByCode } from '../../registries/mapping/banks.ts';
import { LIVE_PROVIDER_NAMES } from '../../registries/providers/catalogue.ts';
import { liveProvider } from '../../registries/providers/make-provider.ts';
import { action, done } from '../action.ts';
import * as field from '../fields.ts';
import { LONGEST_TEST_SECONDS, testLookUp } from '../test-look-up.ts';

export const testProvider = action({
  body: v.strictObject({
    provider: v.picklist(LIVE_PROVIDER_NAMES),
    idType: v.picklist(ID_TYPES),
    number: v.string(),
    level: v.picklist(['basic', 'premium']),
    bankCode: v.optional(v.string()),
    /** The holder's names, which some providers require. */
    names: v.optional(v.strictObject({ firstname: field.name, lastname: field.name })),
    consent: v.optional(field.plainReason),
    timeoutSeconds: v.pipe(field.count, v.maxValue(LONGEST_TEST_SECONDS)),
    reason: field.plainReason,
    /** Credentials to test. @default those of the stage */
    credentials: v.optional(v.record(v.string(), v.string())),
  }),
  async run(input, context) {
    const { provider: name, idType, level, bankCode, names, consent, timeoutSeconds, reason } = input;
    const number = canonicalNumber(idType, input.number);
    if (number === undefined) throw notPossible(`A ${idType} is ${numberFormat(idType).text}.`);
    const { client, isLocal, registryCredentials } = context.deployment;
    const tested = liveProvider(name, {
      credentials: async () => input.credentials ?? registryCredentials(name),
      allowLocal: isLocal,
    });
    // Recorded before the look-up and without the number.
    const after = { reason, lookUps: [`${idType} ${level}`] };
    const target = `provider ${name} (live)`;
    await recordAlone(client, context.recorder.record({ target, after }));
    return done(
      await testLookUp(tested, {
        idType,
        level,
        number,
        deadlineMs: Date.now() + timeoutSeconds * 1_000,
        ...(names && { names }),
        ...(bankCode !== undefined && { bankCode, bank: bankByCode(bankCode) }),
        ...(consent !== undefined && { consent }),
      }),
    );
  },
});
