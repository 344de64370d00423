/** Names in the spelling of Nigeria's three largest languages, with tone marks and hooked letters. */
export const CULTURES = ['yoruba', 'igbo', 'hausa'] as const;
export type Culture = (typeof CULTURES)[number];

export interface NameList {
  readonly m: readonly string[];
  readonly f: readonly string[];
  readonly family: readonly string[];
  readonly language: string;
  readonly religions: readonly string[];
}

export const NAMES: Readonly<Record<Culture, NameList>> = {
  yoruba: {
    m: [
      'Adébáyọ̀',
      'Olúṣẹ́gun',
      'Ayọ̀délé',
      'Babájídé',
      'Káyọ̀dé',
      'Olúfẹ́mi',
      'Akínwálé',
      'Ọlámídé',
      'Adékúnlé',
      'Túndé',
    ],
    f: [
      'Fúnmiláyọ̀',
      'Títílayọ̀',
      'Fọláṣadé',
      'Yétúndé',
      'Àbẹ̀kẹ́',
      'Ọmọlará',
      'Bọ́láńlé',
      'Mọrẹ́nikẹ́',
      'Adéọlá',
      'Ṣọlápé',
    ],
    family: [
      'Adéyẹmí',
      'Ọlátúnjí',
      'Ògúnlẹ́yẹ',
      'Akíntọ́lá',
      'Bámgbóṣé',
      'Ọlọ́runfẹ́mi',
      'Ìdòwú',
      'Ọbásanyà',
      'Ṣónúbi',
      'Adéwálé',
    ],
    language: 'YORUBA',
    religions: ['christianity', 'islam'],
  },
  igbo: {
    m: [
      'Chukwuemeka',
      'Ikechukwu',
      'Obinna',
      'Ụzọma',
      'Kelechi',
      'Chijịọke',
      'Ifeanyị',
      'Nnamdị',
      'Ugọchukwu',
      'Ọnụọra',
    ],
    f: [
      'Chịamaka',
      'Ngọzi',
      'Adaeze',
      'Ijeọma',
      'Nkechi',
      'Aṅụrịka',
      'Obiageli',
      'Nneọma',
      'Ụlọma',
      'Ọgechi',
    ],
    family: [
      'Okafọ',
      'Ọkọnkwọ',
      'Eze',
      'Nwosu',
      'Ụgwụ',
      'Anụnobi',
      'Ọbịọra',
      'Nwachukwu',
      'Ịheanachọ',
      'Mgbemena',
    ],
    language: 'IGBO',
    religions: ['christianity'],
  },
  hausa: {
    m: ['Abdullahi', 'Ɗanladi', 'Yaƙubu', 'Musa', 'Ɗahiru', 'Ƙasimu', 'Sani', 'Ɗanjuma', 'Ibrahim', 'Umar'],
    f: ['Aisha', 'Zainab', 'Hauwa', 'Sadiƙa', 'Halima', 'Ƙarima', 'Rakiya', 'Maryam', 'Laraba', 'Bilƙisu'],
    family: [
      'Ɓaure',
      'Garba',
      'Ƴandoto',
      'Ɗambatta',
      'Abubakar',
      'Ƙaura',
      'Bello',
      'Ƴanleman',
      'Sulaiman',
      'Ɗanmusa',
    ],
    language: 'HAUSA',
    religions: ['islam'],
  },
};
