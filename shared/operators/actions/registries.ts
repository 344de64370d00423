import * as v from 'valibot';
import { providerSwitchTable } from '../../registries/health/provider-switch-table.ts';
import { LIVE_PROVIDER_NAMES, type LiveProviderName } from '../../registries/providers/catalogue.ts';
import { type ActionContext, action, done } from '../action.ts';
import * as field from '../fields.ts';

const provider = v.picklist(LIVE_PROVIDER_NAMES);

/** Test keys never reach a live provider, so only the state for live keys has a switch. */
const liveKey = (name: LiveProviderName) => ({ provider: name, env: 'live' }) as const;

function switchTable({ deployment: { client, tables }, recorder }: ActionContext) {
  return providerSwitchTable(client, tables.apiKeys, recorder);
}

/** Returns who had already disabled the provider, if somebody had: nothing was then changed. */
export const disableProvider = action({
  body: v.strictObject({ provider, reason: field.plainReason }),
  async run({ provider: name, reason }, context) {
    const disabling = { actor: context.actor, reason, atMs: context.clock.nowMs() };
    const earlier = await switchTable(context).disable(liveKey(name), disabling);
    return done({ disabled: earlier ?? disabling, changed: earlier === undefined });
  },
});

export const enableProvider = action({
  body: v.strictObject({ provider }),
  async run({ provider: name }, context) {
    const ended = await switchTable(context).enable(liveKey(name), context.clock.nowMs());
    return done({ changed: ended !== undefined });
  },
});
