import { DAY_MS } from '../core/clock.ts';
import type { NinRecord } from '../registries/mapping/records/nin.ts';
import { matchRecord } from '../verifications/match-record.ts';
import type { Command } from '../verifications/requests.ts';
import type { VerificationResult } from '../verifications/result.ts';
import type { LookUp } from '../verifications/verify-identity.ts';
import { drawSlip } from './draw-slip.ts';
import { slipFileName, slipValues } from './slip.ts';
import type { SlipTheme } from './theme.ts';
import { createSlipToken, slipCheckUrl } from './token.ts';

export interface SlipOrder {
  readonly command: Command;
  readonly requestId: string;
  readonly specimen: boolean;
  /** The HTTPS address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly now: Date;
}

export interface SlipPress {
  /** The number of days that a QR code is valid: as long as the log row of its look-up is kept. */
  readonly checkDays: number;
  readonly theme?: SlipTheme | undefined;
}

/**
 * Draws the slip of a look-up. If the command's claimed details match the record, the slip states this. Returns any
 * outcome other than `found` unchanged. Does not store the record or the claimed details.
 */
export async function makeSlip(
  order: SlipOrder,
  found: LookUp,
  signingKey: string,
  { checkDays, theme }: SlipPress,
): Promise<VerificationResult> {
  if (found.kind !== 'found') return found;
  const { command, requestId, specimen, baseUrl, now } = order;
  const { number, slipType = 'regular' } = command;
  // The look-up was for a NIN, so the record is a NIN record.
  const record = found.record as NinRecord;
  const facts = {
    slipType,
    issuedAt: now,
    expiresAt: new Date(now.getTime() + checkDays * DAY_MS),
    reference: requestId.slice('req_'.length),
    specimen,
    detailsConfirmed: areConfirmed(command, record),
  };
  const details = slipValues(record, now, requestId);
  const token = createSlipToken(facts, details, signingKey);
  const bytes = await drawSlip({
    slipType,
    record,
    checkUrl: slipCheckUrl(baseUrl, token),
    generatedAt: now,
    requestId,
    specimen,
    detailsConfirmed: facts.detailsConfirmed,
    ...(theme && { theme }),
  });
  return {
    kind: 'found',
    provider: found.provider,
    ...(found.failedProviders && { failedProviders: found.failedProviders }),
    content: { type: 'pdf', bytes, fileName: slipFileName(slipType, number) },
  };
}

/** Only matches that need no human decision confirm the details (docs/guides/match.md). */
function areConfirmed({ match }: Command, record: NinRecord): boolean {
  return match !== undefined && ['exact', 'strong'].includes(matchRecord(match, record).match.overall);
}
