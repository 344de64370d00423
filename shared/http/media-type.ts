import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerValues } from './context.ts';

/**
 * Whether the Accept header prefers a PDF to JSON: it names `application/pdf`, with at least the weight of
 * `application/json`. Wildcards do not count, so that programs get JSON.
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

/** Returns the weight of a media range, 1 by default (RFC 9110, 12.4.2). An invalid weight counts as 0. */
function weight(range: string): number {
  const [, text] = /;\s*q=([^;]*)/i.exec(range) ?? [];
  if (text === undefined) return 1;
  return /^\s*(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/.test(text) ? Number(text) : 0;
}
