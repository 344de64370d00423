import { MIMEType } from 'node:util';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerValues } from './context.ts';

/** The body is of this type and in UTF-8. Other parameters of the type change nothing. */
export function isOfType(event: APIGatewayProxyEvent, wanted: string): boolean {
  const [value = '', ...others] = headerValues(event, 'content-type');
  if (others.length > 0) return false;
  try {
    const { essence, params } = new MIMEType(value);
    return essence === wanted && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8');
  } catch {
    return false;
  }
}

/**
 * `application/pdf` has at least the weight of `application/json`. Wildcards do not count, so that programs get JSON.
 */
export function prefersPdf(event: APIGatewayProxyEvent): boolean {
  const ranges = headerValues(event, 'accept').flatMap((value) => value.split(','));
  const weightOf = (type: string) => Math.max(0, ...ranges.filter(isOf(type)).map(weight));
  const pdf = weightOf('application/pdf');
  return pdf > 0 && pdf >= weightOf('application/json');
}

function isOf(type: string): (range: string) => boolean {
  return (range) => range.split(';')[0]?.trim().toLowerCase() === type;
}

/** 1 by default (RFC 9110, 12.4.2); 0 if invalid. */
function weight(range: string): number {
  const [, text] = /;\s*q=([^;]*)/i.exec(range) ?? [];
  if (text === undefined) return 1;
  return /^\s*(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/.test(text) ? Number(text) : 0;
}
