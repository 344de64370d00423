import { checkCourse, checkHotWallet } from './check-course.ts';
import { checkLendersDay, checkLending } from './check-lending.ts';
import { checkMoney } from './check-money.ts';
import { checkCodes, checkResponses } from './check-responses.ts';
import type { SimulationRecord } from './record.ts';

export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

/** Checks the rules that hold for every simulation, whatever the speed of the machine. Returns the violations. */
export function checkAlways(record: SimulationRecord): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => {
    violations.push({ rule, detail });
  };
  checkResponses(record, report);
  checkMoney(record, report);
  if (record.lines.some(({ phase }) => phase === 'hot wallet')) checkHotWallet(record, report);
  checkLending(record, report);
  return violations;
}

/** Checks a simulation of all phases, or of a lender's day. Returns the violations. */
export function checkRecord(record: SimulationRecord): Violation[] {
  const violations = checkAlways(record);
  const report = (rule: string, detail: string) => {
    violations.push({ rule, detail });
  };
  if (record.explanation) checkLendersDay(record, report);
  else {
    checkCodes(record.lines, report);
    checkCourse(record, report);
  }
  return violations;
}
