import type { SlipTheme } from './theme.ts';

/**
 * The default theme. It presents a slip as the record of a look-up by this service. It has no coat of arms and none of
 * the logos or wording of the National Identity Management Commission, because only the Commission may issue its
 * documents.
 */
export const DEFAULT_THEME: SlipTheme = {
  language: 'en-NG',
  authorisation: null,
  wording: {
    title: 'NIN verification record',
    subtitle: 'Produced from a registry look-up. Not issued by NIMC. Not an identity card.',
    names: { regular: 'Regular slip', improved: 'Improved slip', premium: 'Premium slip' },
    labels: {
      trackingId: 'Tracking ID',
      nin: 'National Identification Number (NIN)',
      surname: 'Surname',
      firstName: 'First name',
      middleName: 'Middle name',
      givenNames: 'Given names',
      gender: 'Gender',
      sex: 'Sex',
      birthDate: 'Date of birth',
      address: 'Address',
      lga: 'Local government area',
      state: 'State',
      generatedOn: 'Generated on',
      requestId: 'Request',
    },
    notesHeading: 'About this record',
    notes: [
      'The details were returned by the identity registry for this number at the time shown. The record is not a card, proof of citizenship or a document of the National Identity Management Commission.',
      'The number and the details belong to the person named. They are confidential: use them only for the purpose that the person agreed to or the law allows, and destroy the record afterwards.',
    ],
    backHeading: 'Before you rely on this record',
    backPoints: [
      'Scan the code overleaf. On the page that opens, type the number and the surname: it says whether they match.',
      'It can check only number, names and date of birth. Everything else on paper, such as the photo, proves nothing. To see what the registry holds, verify the number again with your own API key.',
      'Not yours? Do not use, copy or share it.',
    ],
    scanHint: 'Scan to check',
    cardNotice: 'Not issued by NIMC. Not an identity card.',
    namesOnBack: 'In full on the back',
    namesBelow: 'In full below',
    detailsConfirmed: {
      heading: 'Details confirmed',
      text: 'The details sent with the request matched the registry record on',
    },
    stepsHeading: 'How to check this record',
    steps: [
      {
        heading: 'Scan the code',
        text: 'It opens a page of the service over a secure connection. The code holds neither the number nor the name.',
      },
      {
        heading: 'Type the details',
        text: 'Type the number and the surname printed here. The page says whether they match. Slip type, time, request and whether details were confirmed must also be as printed here. If anything differs, do not rely on the record.',
      },
      {
        heading: 'Verify the number again',
        text: 'The page can check only number, names and date of birth. Everything else on paper, such as photo, gender and address, proves nothing. Only a new look-up with your own API key, for a lawful reason, shows what the registry holds today.',
      },
    ],
    photoAlt: 'Photo of the person as the registry holds it',
    noPhotoAlt: 'No photo: a silhouette is shown instead',
    qrAlt: 'QR code that opens the page to check this record',
  },
  colours: {
    ink: '#15202b',
    muted: '#55636f',
    line: '#b4c0c8',
    accent: '#14506b',
    tint: '#edf3f5',
    ground: ['#fbfdfd', '#d8e7ea', '#c9dce0'],
  },
  artwork: {
    emblem: {
      kind: 'paths',
      width: 48,
      height: 48,
      paths: [
        {
          d: 'M24 0.5A23.5 23.5 0 1 1 24 47.5A23.5 23.5 0 1 1 24 0.5ZM24 2.5A21.5 21.5 0 1 0 24 45.5A21.5 21.5 0 1 0 24 2.5Z',
          fill: '#14506b',
        },
        { d: 'M24 5A19 19 0 1 1 24 43A19 19 0 1 1 24 5Z', fill: '#14506b' },
        { d: 'M14.5 24.6L21.2 31.2L33.8 17.4', stroke: '#ffffff', strokeWidth: 4 },
      ],
    },
    logo: null,
    premiumGround: null,
  },
};
