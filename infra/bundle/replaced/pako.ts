import { deflateSync } from 'node:zlib';

/**
 * Replaces `pako` in the bundles that create slips. pdf-lib uses only its `deflate`, and Node's zlib is several times
 * faster.
 */
export default { deflate: (bytes: Uint8Array): Uint8Array => deflateSync(bytes) };
