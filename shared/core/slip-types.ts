/** The slips that can be drawn. Source: specification "NIN slip download". */
export const SLIP_TYPES = ['regular', 'improved', 'premium'] as const;
export type SlipType = (typeof SLIP_TYPES)[number];
