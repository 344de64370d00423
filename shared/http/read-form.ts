import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerValues } from './context.ts';
import { isOfType } from './media-type.ts';

/** Its content is never logged, because it may be personal data. */

export type FormReading<Name extends string> =
  | { readonly kind: 'form'; readonly values: Readonly<Partial<Record<Name, string>>> }
  | { readonly kind: 'wrong-content-type' | 'too-large' | 'malformed' };

/** `name=value` pairs of printable ASCII. */
const ENCODED = /^[\x21-\x7e]*$/;

/** Non-empty and trimmed. An unknown or repeated field is malformed. */
export function readForm<Name extends string>(
  event: APIGatewayProxyEvent,
  names: readonly Name[],
  maxBytes: number,
): FormReading<Name> {
  const isCompressed = headerValues(event, 'content-encoding').some(
    (encoding) => encoding.toLowerCase() !== 'identity',
  );
  if (isCompressed || !isOfType(event, 'application/x-www-form-urlencoded'))
    return { kind: 'wrong-content-type' };
  // API Gateway passes every body in base64.
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBytes) return { kind: 'too-large' };
  const text = bytes.toString('latin1');
  return ENCODED.test(text) ? readPairs(text, names) : { kind: 'malformed' };
}

function readPairs<Name extends string>(text: string, names: readonly Name[]): FormReading<Name> {
  const values: Partial<Record<Name, string>> = {};
  const seen = new Set<string>();
  for (const pair of text === '' ? [] : text.split('&')) {
    const [encodedName = '', encodedValue, ...rest] = pair.split('=');
    const [name, value] = [decode(encodedName), decode(encodedValue)];
    const known = names.find((one) => one === name);
    if (known === undefined || value === undefined || rest.length > 0 || seen.has(known))
      return { kind: 'malformed' };
    seen.add(known);
    if (value.trim() !== '') values[known] = value.trim();
  }
  return { kind: 'form', values };
}

/** Undefined if not percent-encoded UTF-8. */
function decode(encoded: string | undefined): string | undefined {
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
