import type { LiveProviderName } from '../../../shared/registries/providers/catalogue.ts';
import type { ProviderCases } from './cases/case.ts';
import { DOJAH } from './cases/dojah.ts';
import { PAYSTACK } from './cases/paystack.ts';
import { PREMBLY } from './cases/prembly.ts';
import { QOREID } from './cases/qoreid.ts';
import { YOUVERIFY } from './cases/youverify.ts';

export const PROVIDER_CASES: Readonly<Record<LiveProviderName, ProviderCases>> = {
  prembly: PREMBLY,
  dojah: DOJAH,
  qoreid: QOREID,
  youverify: YOUVERIFY,
  paystack: PAYSTACK,
};
