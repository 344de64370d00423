import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setting } from '../../core/config.ts';
import { database, isTableFailure } from '../../core/database.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { headerValues } from '../../http/context.ts';
import type { Run } from '../../http/public-route.ts';
import { readForm } from '../../http/read-form.ts';
import { type AttemptsTable, attemptsTable } from '../attempts-table.ts';
import { isFullMatch, type TypedCheck, verdictOf } from '../check-form.ts';
import type { TypedDetails } from '../commitments.ts';
import type { SlipProof } from '../token.ts';
import { checkForm, FORM_FIELDS, MAX_FORM_BYTES } from '../typed-form.ts';
import {
  checkToken,
  type SlipCheckDependencies,
  showCheckPage,
  slipCheckDependencies,
} from './slip-check.ts';

export interface SlipDetailsDependencies extends SlipCheckDependencies {
  readonly attempts: AttemptsTable;
}

function slipDetailsDependencies(): SlipDetailsDependencies {
  return { ...slipCheckDependencies(), attempts: attemptsTable(database(), setting('API_KEYS_TABLE')) };
}

/**
 * POST /v1/slips/check/{token}: compares what an officer typed with the details in the code. Every response is the
 * page, even if the form cannot be used. The typed details are never stored, logged or shown again.
 */
export function checkSlipDetails(deps: SlipDetailsDependencies = slipDetailsDependencies()): Run {
  return async (requestContext, event) => {
    const check = await checkToken(event, deps);
    if (check.kind !== 'valid' && check.kind !== 'expired') {
      requestContext.line.detail = check.kind;
      return showCheckPage(requestContext, check);
    }
    const typed = await checkTyped(event, check.kind === 'valid' ? check.proof : undefined, deps);
    // Lets operators see how many checks match, and why others fail.
    requestContext.line.detail = typed.kind === 'problem' ? typed.problem.kind : matchOf(typed);
    if (typed.kind === 'problem' && typed.problem.kind === 'too-many-attempts') {
      const waitMs = typed.problem.nextAt.getTime() - deps.nowMs();
      requestContext.headers['Retry-After'] = String(Math.max(1, Math.ceil(waitMs / 1000)));
    }
    if (typed.kind === 'problem' && typed.problem.kind === 'unavailable')
      requestContext.headers['Retry-After'] = '60';
    return showCheckPage(requestContext, check, { result: typed, status: verdictOf(typed).status });
  };
}

function matchOf({ comparison }: Extract<TypedCheck, { kind: 'compared' }>): string {
  return isFullMatch(comparison) ? 'match' : 'no match';
}

async function checkTyped(
  event: APIGatewayProxyEvent,
  proof: SlipProof | undefined,
  deps: SlipDetailsDependencies,
): Promise<TypedCheck> {
  if (isFromOtherSite(event)) return { kind: 'problem', problem: { kind: 'other-site' } };
  if (proof === undefined) return { kind: 'problem', problem: { kind: 'unsupported' } };
  const reading = readForm(event, FORM_FIELDS, MAX_FORM_BYTES);
  if (reading.kind !== 'form') return { kind: 'problem', problem: { kind: reading.kind } };
  const form = checkForm(reading.values);
  if (form.kind === 'incomplete') return { kind: 'problem', problem: form };
  return compareWithinLimit(proof, form.details, deps);
}

const NOT_GIVEN_BACK = 'An attempt on a slip check was not given back.';

/**
 * Compares the details if the token has attempts left. The attempt is counted before the comparison, and given back if
 * everything matches. If giving it back fails, the officer sees the match nevertheless.
 */
async function compareWithinLimit(
  { attemptsName, compare }: SlipProof,
  details: TypedDetails,
  { attempts, nowMs }: SlipDetailsDependencies,
): Promise<TypedCheck> {
  try {
    const taken = await attempts.take(attemptsName, nowMs());
    if (!taken.isAllowed)
      return { kind: 'problem', problem: { kind: 'too-many-attempts', nextAt: taken.nextAt } };
    const comparison = compare(details);
    if (isFullMatch(comparison))
      await attempts.giveBack(attemptsName, nowMs()).catch((error: unknown) => {
        if (!isTableFailure(error)) throw error;
        logger.warn(NOT_GIVEN_BACK, errorFields(error));
      });
    return { kind: 'compared', comparison };
  } catch (error) {
    if (isTableFailure(error)) return { kind: 'problem', problem: { kind: 'unavailable' } };
    throw error;
  }
}

/**
 * Whether a page on another site submitted the form. Such a page could show an officer "match" for details that they
 * did not type. Browsers state in `Sec-Fetch-Site` whether the sites are the same. Older ones send only `Origin`, which
 * is `null` from a page without a referrer or in a sandbox, so the page sends a referrer to its own origin.
 */
function isFromOtherSite(event: APIGatewayProxyEvent): boolean {
  const sites = headerValues(event, 'sec-fetch-site');
  if (sites.length > 0) return sites.some((site) => site !== 'same-origin' && site !== 'none');
  const hosts = headerValues(event, 'host');
  return headerValues(event, 'origin').some((origin) => !hosts.includes(origin.replace(/^https?:\/\//, '')));
}
