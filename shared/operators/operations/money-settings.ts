import type { MoneySettings } from '../../payments/settings.ts';

/** Returns the stage's money settings. Throws if it has none. */
export function requireMoney(money: MoneySettings | undefined): MoneySettings {
  if (money) return money;
  throw new Error(
    'The stage has no money settings, such as the seller and the rates of VAT. Add `money` to its file in infra/stages, and deploy. Nothing was changed.',
  );
}
