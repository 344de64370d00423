import type { Culture } from './names.ts';

export interface Town {
  readonly name: string;
  readonly lga: string;
  readonly state: string;
}

/** Returns the headquarters of a local government area, which often have the same name as the area. */
const town = (state: string, lga: string, name = lga): Town => ({ name, lga, state });

/** Real local government areas with their headquarters. Source: lists of the electoral commission. */
export const TOWNS: Readonly<Record<Culture, readonly Town[]>> = {
  yoruba: [
    town('Lagos', 'Agege'),
    town('Lagos', 'Badagry'),
    town('Lagos', 'Epe'),
    town('Oyo', 'Akinyele', 'Moniya'),
    town('Oyo', 'Egbeda'),
    town('Ogun', 'Ifo'),
    town('Ogun', 'Ijebu North', 'Ijebu-Igbo'),
    town('Ekiti', 'Emure', 'Emure-Ekiti'),
    town('Ondo', 'Akoko North East', 'Ikare'),
  ],
  igbo: [
    town('Anambra', 'Aguata', 'Ekwulobia'),
    town('Anambra', 'Anaocha', 'Agulu'),
    town('Enugu', 'Awgu'),
    town('Enugu', 'Ezeagu'),
    town('Imo', 'Ideato North', 'Urualla'),
    town('Imo', 'Ideato South', 'Dikenafai'),
    town('Abia', 'Aba South', 'Aba'),
    town('Abia', 'Bende'),
  ],
  hausa: [
    town('Kano', 'Bichi'),
    town('Kano', 'Bunkure'),
    town('Kaduna', 'Giwa'),
    town('Kaduna', 'Ikara'),
    town('Katsina', 'Bakori'),
    town('Katsina', 'Baure'),
    town('Sokoto', 'Bodinga'),
    town('Bauchi', 'Darazo'),
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
