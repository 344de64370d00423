import { MINUTE_MS } from '../../core/clock.ts';
import type { IncidentView } from './views.ts';

/** The incidents of the status page as an Atom feed (RFC 4287). */

const TITLE = 'Status of the registries';
const AUTHOR = 'Identity verification';
const HOUR_MINUTES = 60;

export interface StatusAddresses {
  readonly page: string;
  readonly feed: string;
}

/** Returns the feed. */
export function statusFeed(
  incidents: readonly IncidentView[],
  { page, feed }: StatusAddresses,
  updatedAt: string,
): string {
  const updated = incidents.map(changedAt).sort().at(-1) ?? updatedAt;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    ...[
      element('id', feed),
      element('title', TITLE),
      element('updated', updated),
      `<author>${element('name', AUTHOR)}</author>`,
      `<link rel="self" type="application/atom+xml" href="${escaped(feed)}"/>`,
      `<link rel="alternate" type="text/html" href="${escaped(page)}"/>`,
      ...incidents.map((incident) => entryOf(incident, page)),
    ].map((line) => `  ${line}`),
    '</feed>',
    '',
  ].join('\n');
}

function entryOf(incident: IncidentView, page: string): string {
  const { id, started_at } = incident;
  const address = Object.assign(new URL(page), { hash: id }).href;
  return [
    '<entry>',
    element('id', address),
    element('title', titleOf(incident)),
    element('published', started_at),
    element('updated', changedAt(incident)),
    `<link rel="alternate" type="text/html" href="${escaped(address)}"/>`,
    element('summary', summaryOf(incident)),
    '</entry>',
  ].join('');
}

const changedAt = ({ started_at, ended_at }: IncidentView) => ended_at ?? started_at;

function titleOf({ id_type, status, ended_at }: IncidentView): string {
  const what = status === 'down' ? 'unavailable' : 'degraded';
  return ended_at === null ? `${id_type} look-ups are ${what}` : `${id_type} look-ups were ${what}`;
}

function summaryOf(incident: IncidentView): string {
  const { status, started_at, ended_at } = incident;
  const period =
    ended_at === null
      ? `Since ${timeOf(started_at)}.`
      : `From ${timeOf(started_at)} to ${timeOf(ended_at)} (${durationOf(started_at, ended_at)}).`;
  const effect =
    status === 'down'
      ? 'Look-ups that fail cost nothing.'
      : 'Some look-ups failed or were slow. Look-ups that fail cost nothing.';
  return `${titleOf(incident)}. ${period} ${effect}`;
}

/** Formats an ISO time as in `2026-11-14 09:30 UTC`. */
const timeOf = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

function durationOf(from: string, to: string): string {
  const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / MINUTE_MS));
  const hours = Math.floor(minutes / HOUR_MINUTES);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % HOUR_MINUTES} min`;
}

const element = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
