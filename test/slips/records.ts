import type { SlipType } from '../../shared/core/slip-types.ts';
import type { NinRecord } from '../../shared/registries/mapping/records/nin.ts';
import { PORTRAITS } from '../../shared/registries/sandbox/pictures.ts';
import type { SlipInput } from '../../shared/slips/draw-slip.ts';
import { EMPTY_NIN } from '../support/registries/empty-records.ts';

/** Invented people for slips. */

/**
 * A person whose name and address contain Yoruba, Igbo and Hausa letters, some of which Unicode can only represent as
 * sequences.
 */
export const USUAL_RECORD: NinRecord = {
  ...EMPTY_NIN,
  nin: '12345678901',
  firstname: 'Ọláńrewájú',
  lastname: 'Adébáyọ̀',
  middlename: 'Chịọma',
  gender: 'f',
  birthdate: '12-03-1990',
  photo: PORTRAITS.yoruba.f,
  residence: {
    address1: '14 Ẹ̀kọ́ Close, off Ɗanƙwambo Road',
    town: 'Ìbàdàn',
    lga: 'Ìbàdàn North-East',
    state: 'Ọ̀yọ́',
  },
  tracking_id: 'S7Y0ALMQKW1ZTRX',
};

/** Values that are at least as long as the longest real ones, without a photo. */
export const LONG_RECORD: NinRecord = {
  ...USUAL_RECORD,
  firstname: 'Oluwatobilọba Ayọ̀mídé Similolúwa',
  lastname: 'Ọláṣùbọ̀mí-Ogunmọlasuyi Akinfẹnwa',
  middlename: 'Nwachukwu Ụzọchukwu',
  photo: '',
  residence: {
    address1:
      'Block 27, Flat 14B, Alhaji Ƴar’aduwa Memorial Housing Estate Phase II, behind the old textile mill, opposite St. Ṣẹ́gun’s Anglican Primary School, Kilometre 9',
    town: 'Abẹ́òkúta–Ṣàgámù Expressway',
    lga: 'Ọbáfẹ́mi Owódé Local Government Area',
    state: 'Federal Capital Territory, Abuja',
  },
};

/** Names that are too long for the front of a card, without a photo. */
export const LONGEST_NAMES: NinRecord = {
  ...LONG_RECORD,
  firstname: 'Oluwatobilọba Ayọ̀mídé Similolúwa Ọmọ́tọ́lá Oluwapelumi',
  lastname: 'Ọláṣùbọ̀mí-Ogunmọlasuyi Akinfẹnwa Oluwaseunfunmilayo-Adébáyọ̀',
  middlename: 'Nwachukwu Ụzọchukwu Chukwuebuka Ifeanyichukwu',
};

export const CHECK_URL =
  'https://api.example.com/v1/slips/check/Kgdn1nxQaNdUEAobLD1OX2oDGfFzVYyWn0rX6mDqaXUq5Jm0TbVx2LhWcZ8dRkYn';

export function slipInput(slipType: SlipType, record: NinRecord, specimen: boolean): SlipInput {
  return {
    slipType,
    record,
    specimen,
    checkUrl: CHECK_URL,
    generatedAt: new Date('2026-11-21T11:31:07Z'),
    requestId: 'req_0a1b2c3d4e5f',
  };
}
