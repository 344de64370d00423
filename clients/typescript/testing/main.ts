import { FakeIdentity } from './fake-identity.ts';
import { signWebhook, webhookEvent } from './webhooks.ts';

/** `ng-identity/testing`. */

export { FakeIdentity, signWebhook, webhookEvent };

export const hasItsTypes = { FakeIdentity, signWebhook, webhookEvent } satisfies Omit<
  typeof import('../src/testing.ts'),
  never
>;
