import type { AutomaticTopUpView } from '../../../../shared/payments/console/views.ts';

/** Names the saved card: "Visa ending in 4081, TEST BANK, expires 12/2030". */
export function cardName({ card, card_order }: AutomaticTopUpView): string {
  if (!card?.last_four) return `that of the top-up ${card_order}`;
  const brand = card.brand ? `${card.brand[0]?.toUpperCase()}${card.brand.slice(1)} ` : '';
  const expiry = card.expires && `expires ${card.expires}`;
  return [`${brand}ending in ${card.last_four}`, card.bank, expiry].filter(Boolean).join(', ');
}
