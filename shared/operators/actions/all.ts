import type { ActionName } from '../actions.ts';
import { approve } from './approve.ts';
import { createKey, revokeKey, rotateKey, updateKey } from './keys.ts';
import { eraseMember, inviteMember, removeMember } from './members.ts';
import { closeMonth, reopenMonth } from './months.ts';
import { createCreditNote, openOrder, recordPaidBack, resolveOrder, settleOrder } from './orders.ts';
import {
  approveOrganisation,
  createOrganisation,
  disableServices,
  enableServices,
  setLowBalance,
  setRate,
  setServicePrice,
  suspendOrganisation,
} from './organisations.ts';
import { endCreditPrice, setBilling, setCreditPrice } from './prices.ts';
import { countImpact, erasePerson, exportPerson } from './privacy.ts';
import { disableProvider, enableProvider } from './registries.ts';
import { testProvider } from './registry-test.ts';
import { withdrawSlip } from './slips.ts';
import { correct, setShards, topUp } from './wallets.ts';

/** All actions by name. The CLI uses only their types; each function imports its own action. */
export const ALL_ACTIONS = {
  'org create': createOrganisation,
  'org approve': approveOrganisation,
  'org suspend': suspendOrganisation,
  'org set-rate': setRate,
  'org set-low-balance': setLowBalance,
  'member invite': inviteMember,
  'member remove': removeMember,
  'member erase': eraseMember,
  'service enable': enableServices,
  'service disable': disableServices,
  'service set-price': setServicePrice,
  'key create': createKey,
  'key update': updateKey,
  'key rotate': rotateKey,
  'key revoke': revokeKey,
  'wallet top-up': topUp,
  'wallet correct': correct,
  'wallet set-shards': setShards,
  'price set': setCreditPrice,
  'price end': endCreditPrice,
  'billing set': setBilling,
  'order open': openOrder,
  'order settle': settleOrder,
  'order resolve': resolveOrder,
  'credit-note create': createCreditNote,
  'credit-note paid-back': recordPaidBack,
  'month close': closeMonth,
  'month reopen': reopenMonth,
  'registry disable': disableProvider,
  'registry enable': enableProvider,
  'registry test': testProvider,
  'privacy export': exportPerson,
  'privacy erase': erasePerson,
  'privacy impact': countImpact,
  'slip withdraw': withdrawSlip,
  approve,
} as const satisfies Readonly<Record<ActionName, object>>;
