import { lookUpInSandbox } from '../../../../shared/registries/sandbox/look-up.ts';

/** A registry's response with a photo of 60 KB, like those of live registries. The sandbox's photos are smaller. */
export const NIN = '20000010001';
const PHOTO_BYTES = 60_000;

/** Returns the first and last bytes of a JPEG in base64, with noise between them. Nothing decodes the picture here. */
export function photoOf(size: number): string {
  const bytes = Buffer.alloc(size);
  let seed = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[at] = seed >> 16;
  }
  bytes.set([0xff, 0xd8, 0xff, 0xe0]);
  bytes.set([0xff, 0xd9], size - 2);
  return bytes.toString('base64');
}

export const PHOTO = photoOf(PHOTO_BYTES);

export function registryBody(): string {
  const { body } = lookUpInSandbox({ idType: 'NIN', number: NIN });
  return JSON.stringify({ ...body, entry: { ...(body['entry'] as object), photo: PHOTO } });
}
