import type { Culture } from './names.ts';

export interface Place {
  readonly state: string;
  readonly lga: string;
  readonly town: string;
}

const at = (state: string, lga: string, town = lga): Place => ({ state, lga, town });

/** Real local government areas with their states and headquarters (lists of the electoral commission). */
export const PLACES: Readonly<Record<Culture, readonly Place[]>> = {
  yoruba: [
    at('Lagos', 'Agege'),
    at('Lagos', 'Badagry'),
    at('Lagos', 'Epe'),
    at('Oyo', 'Akinyele', 'Moniya'),
    at('Oyo', 'Egbeda'),
    at('Ogun', 'Ifo'),
    at('Ogun', 'Ijebu North', 'Ijebu-Igbo'),
    at('Ekiti', 'Emure', 'Emure-Ekiti'),
    at('Ondo', 'Akoko North East', 'Ikare'),
  ],
  igbo: [
    at('Anambra', 'Aguata', 'Ekwulobia'),
    at('Anambra', 'Anaocha', 'Agulu'),
    at('Enugu', 'Awgu'),
    at('Enugu', 'Ezeagu'),
    at('Imo', 'Ideato North', 'Urualla'),
    at('Imo', 'Ideato South', 'Dikenafai'),
    at('Abia', 'Aba South', 'Aba'),
    at('Abia', 'Bende'),
  ],
  hausa: [
    at('Kano', 'Bichi'),
    at('Kano', 'Bunkure'),
    at('Kaduna', 'Giwa'),
    at('Kaduna', 'Ikara'),
    at('Katsina', 'Bakori'),
    at('Katsina', 'Baure'),
    at('Sokoto', 'Bodinga'),
    at('Bauchi', 'Darazo'),
  ],
};

export const STREETS: readonly string[] = [
  'Unity Road',
  'Market Street',
  'Old Railway Lane',
  'Mango Tree Close',
  'Station Road',
  'Palm Avenue',
  'Bookshop Lane',
  'Independence Way',
];
